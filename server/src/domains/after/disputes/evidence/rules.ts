import { evidenceFileTypes, type EvidenceFile } from '../../../../connectors/kit/disputes.ts'
import type { EvidenceRow } from '../record.ts'

export const fileLimitBytes = 2 * 1024 * 1024
export const filesPerDispute = 10
export const textCharacters = 20_000
/** All texts of a dispute together; the providers' own limits are higher. */
const textsLimitBytes = 100_000

type FileType = EvidenceFile['contentType']

const beginnings: Readonly<Record<FileType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
}

/** The type by the first bytes: what a caller declares decides nothing. */
export const typeOfFile = (bytes: Buffer): FileType | undefined =>
  evidenceFileTypes.find((type) => bytes.subarray(0, beginnings[type].length).equals(beginnings[type]))

/** Undefined if the text is not base64. */
export function decodeFile(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length > 0 && withoutPadding(bytes.toString('base64')) === withoutPadding(base64)
    ? bytes
    : undefined
}

/** Base64 ends with at most two signs of padding. */
function withoutPadding(base64: string): string {
  if (base64.endsWith('==')) return base64.slice(0, -2)
  return base64.endsWith('=') ? base64.slice(0, -1) : base64
}

/** Why these rows may not be added; undefined if they may. */
export function excessOf(known: readonly EvidenceRow[], added: readonly EvidenceRow[]): string | undefined {
  const all = [...known, ...added]
  if (all.filter(({ kind }) => kind === 'file').length > filesPerDispute)
    return `A dispute can have ${filesPerDispute} files.`
  const texts = all.filter(({ kind }) => kind === 'text').reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return texts > textsLimitBytes
    ? `The texts of a dispute can have ${textsLimitBytes} bytes together.`
    : undefined
}
