import { mount } from "svelte";
import App from "./App.svelte";
import { workOffline } from "./lib/offline";
import "virtual:theme.css";
import "./style.css";

mount(App, { target: document.getElementById("app")! });
workOffline();
