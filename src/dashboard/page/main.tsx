/** The page's entry. */
import { render } from "preact";

const root = document.getElementById("app");
if (root !== null) render(<p>Tidemark</p>, root);
