import type { OpenApiDocument } from "./openApi";

/** The document as text and as data. */
export interface LoadedDocument {
  text: string;
  document: OpenApiDocument;
}

/**
 * Loads the document that `GET /api/openapi.json` answers. It is part of the build, so that the
 * desktop window, which has no server, can show it.
 */
export async function loadDocument(): Promise<LoadedDocument> {
  const { default: text } = await import("../../../src-tauri/rest/openapi.json?raw");
  return { text, document: JSON.parse(text) as OpenApiDocument };
}
