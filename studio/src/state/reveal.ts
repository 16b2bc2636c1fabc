// The panel beside the canvas begins with what is selected: there it is scrolled to where that can be seen.
import { model } from "./model.svelte";

export function showsSelection(side: HTMLElement): void {
  if (!model.selection) return;
  if (side.scrollHeight > side.clientHeight) side.scrollTop = 0;
  else if (side.contains(document.activeElement)) side.scrollIntoView({ block: "start" }); // on a narrow screen the page scrolls
}

/** A panel that opens below what was clicked, as on a narrow screen, is scrolled to. */
export function comesIntoView(panel: HTMLElement): void {
  if (panel.getBoundingClientRect().top > innerHeight - 120) panel.scrollIntoView({ block: "start" });
}

/** A question that stands away from the button that led to it is scrolled to. */
export function isSeen(question: HTMLElement): void {
  const { top, bottom } = question.getBoundingClientRect();
  if (top < 60 || bottom > innerHeight - 60) question.scrollIntoView({ block: "center" });
}
