import { mount } from "svelte";
import App from "./App.svelte";
import "./tokens.css";
import "./app.css";

const place = document.getElementById("app");
if (place) mount(App, { target: place });
