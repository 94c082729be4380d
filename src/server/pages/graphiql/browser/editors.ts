/** The part of Monaco's API that the page uses. GraphiQL has one model per editor, and changes its text with the tab. */
export interface Monaco {
  readonly editor: {
    getModels(): readonly TextModel[];
    onDidCreateModel(listener: (model: TextModel) => void): unknown;
    getEditors(): readonly CodeEditor[];
    onDidCreateEditor(listener: (editor: CodeEditor) => void): unknown;
    remeasureFonts(): void;
  };
}

interface CodeEditor {
  getModel(): TextModel | null;
  focus(): void;
  updateOptions(options: { readonly wordWrap: 'on' }): void;
  onDidChangeModel(listener: () => void): unknown;
}

interface TextModel {
  readonly uri: { readonly path: string };
  getValue(): string;
  setValue(text: string): void;
  onDidChangeContent(listener: () => void): unknown;
}

interface Editors {
  /** Empty until the editor exists. */
  textOf(file: string): string;
  setText(file: string, text: string): void;
  focus(file: string): void;
}

export interface EditorsOptions {
  readonly monaco: Monaco;
  /** The operation or the variables change. */
  readonly onTab: () => void;
  readonly onResult: () => void;
}

/**
 * Reads and writes the texts of GraphiQL's editors, as the user does. The source text of this function is inlined in the page, so
 * it must be self-contained.
 */
export function createEditors({ monaco, onTab, onResult }: EditorsOptions): Editors {
  const models = new Map<string, TextModel>();
  const watch = (model: TextModel): void => {
    const [file = ''] =
      /(operation\.graphql|variables\.json|request-headers\.json|response\.json)$/.exec(model.uri.path) ?? [];
    models.set(file, model);
    if (file === 'response.json') model.onDidChangeContent(onResult);
    else if (file === 'operation.graphql' || file === 'variables.json') model.onDidChangeContent(onTab);
    onTab();
    onResult();
  };
  const isOf = (editor: CodeEditor, file: string): boolean =>
    editor.getModel()?.uri.path.endsWith(file) ?? false;
  /** The comment of an operation says what it does, also in a narrow window. */
  const wrapQuery = (editor: CodeEditor): void => {
    const wrap = (): void => {
      if (isOf(editor, 'operation.graphql')) editor.updateOptions({ wordWrap: 'on' });
    };
    editor.onDidChangeModel(wrap);
    wrap();
  };
  // Without it, the cursor stands beside its letter where a font arrives later than the script.
  document.fonts.addEventListener('loadingdone', () => monaco.editor.remeasureFonts());
  monaco.editor.onDidCreateEditor(wrapQuery);
  for (const editor of monaco.editor.getEditors()) wrapQuery(editor);
  monaco.editor.onDidCreateModel(watch);
  for (const model of monaco.editor.getModels()) watch(model);
  return {
    textOf: (file) => models.get(file)?.getValue() ?? '',
    setText: (file, text) => models.get(file)?.setValue(text),
    focus: (file) =>
      monaco.editor
        .getEditors()
        .find((editor) => isOf(editor, file))
        ?.focus(),
  };
}
