// All that the page takes from Svelte Flow.
export {
  Background, ConnectionMode, Handle, MiniMap, Position, SvelteFlow, SvelteFlowProvider, useSvelteFlow,
} from "@xyflow/svelte";
export type { Connection, Edge, EdgeProps, Node, NodeProps, Viewport } from "@xyflow/svelte";
import "@xyflow/svelte/dist/base.css";
