// The guided example: from a sample to a queried network in a few clicks.
import { model } from "./model.svelte";
import { studio } from "./studio.svelte";

interface Stop {
  title: string;
  text: string;
  next: string;
  run: () => Promise<void> | void;
}

const SAMPLE = "asia";

class GuidedExample {
  at = $state<number | null>(null);

  readonly stops: Stop[] = [
    {
      title: "The data",
      text: "Patients of a chest clinic: symptoms, habits, diseases. Each column has a bar for each state. Nothing here needs a change.",
      next: "Learn a network",
      run: async () => {
        studio.go("learn");
        await studio.begin("learn");
      },
    },
    {
      title: "Learning",
      text: "The search looks for the network with the best score. For few variables it proves that no network scores better. The result appears under Results.",
      next: "Look at it",
      run: () => studio.go("look"),
    },
    {
      title: "The network",
      text: "An arrow has a direction that the data decide. A line without a head is undecided: both directions fit equally well. Click an edge to see the evidence for it.",
      next: "Ask it something",
      run: async () => {
        studio.go("ask");
        const node = model.graph?.nodes.find((name) => /xray|x-ray/i.test(name));
        const state = node ? model.states.get(node)?.find((value) => /yes|abnormal|1|true/i.test(value)) : undefined;
        if (node && state && !(node in (studio.state?.evidence ?? {}))) await model.toggleState(node, state);
      },
    },
    {
      title: "A question",
      text: "The X-ray is abnormal: every probability moves. The thin mark in each bar is where it stood before. Click any bar to say what you know.",
      next: "How sure is this?",
      run: () => studio.go("doubt"),
    },
    {
      title: "Doubt",
      text: "Run a bootstrap to see how often each edge comes back in resampled data. Warnings and assumptions of the result stand here too.",
      next: "Take it away",
      run: () => studio.go("take"),
    },
    {
      title: "Take away",
      text: "Download the network, a picture or a report. The code panel at the bottom always holds the Python and the shell command that do the same.",
      next: "Finish",
      run: () => this.end(),
    },
  ];

  async begin(): Promise<void> {
    await studio.create({ name: "Guided example", sample: SAMPLE }, "data");
    if (studio.project) this.at = 0;
  }

  async forward(): Promise<void> {
    const stop = this.at === null ? undefined : this.stops[this.at];
    if (!stop || this.at === null) return;
    const last = this.at === this.stops.length - 1;
    await stop.run();
    if (!last && this.at !== null) this.at++;
  }

  end(): void {
    this.at = null;
  }
}

export const guide = new GuidedExample();
