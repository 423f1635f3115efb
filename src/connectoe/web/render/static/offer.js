// The offer of a lesson beside the first match of a game: it goes away where it is not wanted.

const offer = document.getElementById("lesson-offer");

offer?.addEventListener("click", (event) => {
  if (!event.target.closest("[data-dismiss]")) return;
  event.preventDefault();
  offer.remove();
  history.replaceState(null, "", location.pathname);
});
