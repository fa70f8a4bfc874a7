/** Entry: the pages of the reference, made of the contract's rows, the OpenAPI document and the repository's guides. */
export { type ControlCall } from "./pages/control-pages.ts";
export {
  createReference,
  type PageRequest,
  type Reference,
  type ReferencePage,
  type SandboxParts,
} from "./reference.ts";
