import { settings } from "./settings.svelte";

/** Small sounds of wood, glass and seeds, made on the spot: a knock is a short noise through a filter. */

let context: AudioContext | undefined;

function audio(): AudioContext | null {
  // Browsers let a page sound only after somebody touched it.
  if (!settings.sounds || !navigator.userActivation.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

function knock(pitch: number, length: number, loudness: number): void {
  const out = audio();
  if (!out) return;
  const noise = out.createBuffer(1, Math.ceil(out.sampleRate * length), out.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 6;
  const source = out.createBufferSource();
  source.buffer = noise;
  const filter = out.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch * (0.95 + Math.random() * 0.1);
  filter.Q.value = 4;
  const volume = out.createGain();
  volume.gain.value = loudness;
  source.connect(filter).connect(volume).connect(out.destination);
  source.start();
}

function tone(pitch: number, after: number, length: number): void {
  const out = audio();
  if (!out) return;
  const start = out.currentTime + after;
  const wave = out.createOscillator();
  wave.type = "sine";
  wave.frequency.value = pitch;
  const volume = out.createGain();
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  wave.connect(volume).connect(out.destination);
  wave.start(start);
  wave.stop(start + length);
}

export const sounds = {
  place: () => knock(900, 0.12, 1.6),
  capture: () => knock(480, 0.2, 2.2),
  seed: () => knock(2100, 0.06, 0.9),
  yourTurn: () => tone(660, 0, 0.18),
  won: () => [523, 659, 784].forEach((pitch, place) => tone(pitch, place * 0.13, 0.5)),
  over: () => [440, 349].forEach((pitch, place) => tone(pitch, place * 0.18, 0.5)),
};
