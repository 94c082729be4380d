import { editsBetween } from '../../../lib/json-edits.ts';
import { isLarge, sizeOfValue } from '../../../lib/json-size.ts';
import { stringifyJson } from '../../../lib/json.ts';
import type { StoredOutput } from '../../records.ts';
import type { PartBody } from '../basics/columns.ts';
import { nameOfPart } from './output-parts.ts';
import type { OutputPart } from '../basics/tables.ts';
import { textInPieces } from './written-contents.ts';

/** An output up to this many characters, before escaping, is always written whole. */
const maxWholeSize = 512;
/** The parts of a shorter output are this long before it is written whole again. */
const minPartsSize = 8192;
/** A part is written again with what is new until it is this long, or as long as the whole. The next part then begins. */
const partChars = 2048;

/** A write of the output of a running generation, or of one of its parts. */
export interface PartialOutput {
  readonly id: string;
  readonly part: 'output' | OutputPart;
  /** JSON. */
  readonly body: string;
  /** Whether the parts are deleted. */
  readonly removesParts: boolean;
}

/** What is known to be in the rows of an output with parts. */
interface SavedParts {
  /** The output before the last part. Absent if the last write of the whole failed: the outcome is unknown. */
  readonly base?: StoredOutput;
  /** The last part. The same number is written until its write has succeeded. */
  readonly part: number;
  /** Length of the text before the last part. */
  readonly after: number;
  /** Of the whole, as it was written last. */
  readonly wholeSize: number;
  /** Of the parts before the last one. */
  readonly partsSize: number;
}

const unknownParts: SavedParts = { part: 1, after: 0, wholeSize: 0, partsSize: 0 };

/**
 * Saves the outputs of running generations. Each has one save at a time.
 *
 * Writes an output whole while it is short, then as parts, and whole again when its parts are as long as the whole: the bytes
 * written grow with the output, not with its square. New parts of many outputs share pages of the database.
 * @param write returns false if the generation has ended
 */
export function createPartialOutputs(write: (output: PartialOutput) => Promise<boolean>) {
  const saved = new Map<string, SavedParts>();
  const textOf = async (value: unknown): Promise<string> =>
    isLarge(value) ? textInPieces(value) : stringifyJson(value);

  const writeWhole = async (id: string, output: StoredOutput): Promise<boolean> => {
    const body = await textOf(output);
    const removesParts = saved.has(id);
    if (removesParts) saved.set(id, unknownParts);
    if (!(await write({ id, part: 'output', body, removesParts }))) return false;
    const wholeSize = sizeOfValue(output, Infinity);
    if (wholeSize > maxWholeSize)
      saved.set(id, { base: output, part: 1, after: body.length, wholeSize, partsSize: 0 });
    else saved.delete(id);
    return true;
  };
  /** Returns undefined if the whole should be written. */
  const writePart = async (id: string, output: StoredOutput): Promise<boolean | undefined> => {
    const before = saved.get(id);
    // An output that has shrunk would be counted with what is gone.
    if (!before?.base || sizeOfValue(output, before.wholeSize) < before.wholeSize) return undefined;
    const { base, part, after, wholeSize } = before;
    const content: PartBody = { part, after, edits: editsBetween(base, output) };
    const partsSize = before.partsSize + sizeOfValue(content, wholeSize);
    if (partsSize > Math.max(wholeSize, minPartsSize)) return undefined;
    const body = await textOf(content);
    if (!(await write({ id, part: nameOfPart(part), body, removesParts: false }))) return false;
    if (body.length >= Math.min(partChars, wholeSize))
      saved.set(id, { base: output, part: part + 1, after: body.length, wholeSize, partsSize });
    return true;
  };
  return {
    /** Writes the output, or a part with what is new. Returns false if the generation has ended. */
    async save(id: string, output: StoredOutput): Promise<boolean> {
      if (!saved.has(id) && sizeOfValue(output, maxWholeSize) <= maxWholeSize)
        return write({ id, part: 'output', body: stringifyJson(output), removesParts: false });
      return (await writePart(id, output)) ?? writeWhole(id, output);
    },
    /** Whether the output may have parts. */
    hasParts: (id: string) => saved.has(id),
    /** Call after the parts were deleted. */
    delete(id: string): void {
      saved.delete(id);
    },
  };
}
