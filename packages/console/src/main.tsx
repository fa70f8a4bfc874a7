/** The sandbox's console. */
import { render } from "preact";
import { Shell } from "./app/shell.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/pages.css";

const root = document.getElementById("console");
if (root) render(<Shell />, root);
