// One server and one browser for all tests of a run.
import { after, before } from "node:test";
import { CHROMIUM, Server, Sessions } from "./harness.ts";

export const server = new Server();
export const sessions = new Sessions();
export const skip = CHROMIUM ? false : "Chromium is not installed";

before(async () => {
  if (skip) return;
  await Promise.all([server.start(), sessions.start()]);
});
after(async () => {
  await sessions.stop();
  await server.stop();
});
