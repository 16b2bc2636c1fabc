// The page against the mock: fetch and EventSource are replaced, nothing else.
import { render } from "@testing-library/svelte";
import { vi } from "vitest";
import { MockServer } from "../mock/api";
import { studio } from "../src/state/studio.svelte";
import { model } from "../src/state/model.svelte";

export class FakeEvents {
  static last: FakeEvents | null = null;
  private readonly takers: Record<string, ((event: { data: string }) => void)[]> = {};
  constructor(readonly address: string) {
    FakeEvents.last = this;
  }
  addEventListener(name: string, take: (event: { data: string }) => void): void {
    (this.takers[name] ??= []).push(take);
  }
  send(name: string, document: unknown): void {
    for (const take of this.takers[name] ?? []) take({ data: JSON.stringify(document) });
  }
  close(): void {
    FakeEvents.last = null;
  }
}

export function served(): MockServer {
  const server = new MockServer();
  vi.stubGlobal("EventSource", FakeEvents);
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    const answer = server.answer(init.method ?? "GET", address, body);
    return new Response(answer.status === 204 ? null : JSON.stringify(answer.body), { status: answer.status });
  });
  sessionStorage.clear();
  studio.leave();
  model.clear();
  studio.notices = [];
  history.replaceState(null, "", "/");
  return server;
}

export const settled = async (): Promise<void> => {
  for (let i = 0; i < 25; i++) await new Promise((go) => setTimeout(go, 2));
};

export async function opened(server = served()): Promise<MockServer> {
  await studio.start();
  await studio.create({ sample: "asia" }, "data");
  await settled();
  return server;
}

export { render, studio, model };
