// Sounds, made by the page itself. They are off until somebody switches them on, and the browser remembers that.

const KEY = "connectoe sound";
const button = document.getElementById("sound");

function isOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // a browser that stores nothing
  }
}

function showSwitch() {
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isOn()));
  button.title = isOn() ? "Sounds are on" : "Sounds are off";
}

button?.addEventListener("click", () => {
  try {
    localStorage.setItem(KEY, isOn() ? "off" : "on");
  } catch {
    return;
  }
  showSwitch();
  play("put");
});
showSwitch();

// A sound is a tone or some noise that fades away.

let context = null;

function tone(at, pitch, length, { kind = "sine", loud = 0.2, to = pitch } = {}) {
  const source = new OscillatorNode(context, { type: kind, frequency: pitch });
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  fade(source, at, length, loud);
}

function noise(at, length, { low = 400, high = 400, loud = 0.3 } = {}) {
  const buffer = new AudioBuffer({ length: context.sampleRate * length, sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "lowpass", frequency: low });
  filter.frequency.exponentialRampToValueAtTime(high, at + length);
  source.connect(filter);
  fade(source, at, length, loud, filter);
}

function fade(source, at, length, loud, last = source) {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  last.connect(volume).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

const SOUNDS = {
  drop: (at) => (tone(at, 170, 0.16, { to: 70, loud: 0.35 }), noise(at, 0.05, { low: 1800, high: 500, loud: 0.2 })),
  put: (at) => tone(at, 520, 0.09, { kind: "triangle", to: 390 }),
  slide: (at) => noise(at, 0.28, { low: 500, high: 1600, loud: 0.14 }),
  blast: (at) => (noise(at, 0.9, { low: 1400, high: 60, loud: 0.6 }), tone(at, 110, 0.7, { to: 30, loud: 0.5 })),
  won: (at) => [523, 659, 784, 1047].forEach((pitch, i) => tone(at + 0.13 * i, pitch, 0.4, { kind: "triangle" })),
  lost: (at) => [392, 330, 262].forEach((pitch, i) => tone(at + 0.18 * i, pitch, 0.4, { kind: "triangle" })),
  drawn: (at) => [392, 392].forEach((pitch, i) => tone(at + 0.2 * i, pitch, 0.3, { kind: "triangle" })),
};

export function play(name, delay = 0) {
  if (!isOn() || document.hidden || !SOUNDS[name]) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume(); // until the first press on the page
  SOUNDS[name](context.currentTime + delay / 1000);
}
