import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Somewhere that bytes are kept, in pieces of a size that fits into memory. */
export interface Place {
  name: string
  pieces(): AsyncIterable<Buffer>
}

export async function* filesUnder(directory: string, wanted: (name: string) => boolean = () => true) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    if (entry.isFile() && wanted(entry.name)) {
      // A file may be deleted while the others are read; what it held has been moved into another.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => undefined)
      if (bytes) yield bytes
    }
}

export async function* textsOf(...texts: string[]): AsyncIterable<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

/** As it is, and as it would look in a dump of bytes, in base64 at any offset, or in a URL. */
export function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret)
  const shifted = [0, 1, 2].map((padding) => {
    const text = Buffer.concat([Buffer.alloc(padding), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The characters at both ends depend on what stands beside the secret.
    return text.slice(padding === 0 ? 0 : padding + 1, -1)
  })
  const forms = [secret, bytes.toString('hex'), encodeURIComponent(secret), ...shifted]
  return [...new Set(forms)].map((form) => Buffer.from(form))
}

/** Too short to search for alone: only where it stands as a value, or beside its name. */
export const formsOfCvv = (cvv: string): Buffer[] =>
  [
    `"${cvv}"`,
    `'${cvv}'`,
    `\\"${cvv}\\"`,
    `cvv=${cvv}`,
    `cvv${cvv}`,
    `cvc${cvv}`,
    `cvc]=${cvv}`,
    `cvc%5D=${cvv}`,
  ].map((form) => Buffer.from(form))

/** Which of the secrets are in which of the places. */
export async function findSecrets(
  places: readonly Place[],
  secrets: Readonly<Record<string, readonly Buffer[]>>,
): Promise<string[]> {
  const found = new Set<string>()
  for (const place of places)
    for await (const piece of place.pieces())
      for (const [secret, forms] of Object.entries(secrets))
        if (forms.some((form) => piece.includes(form))) found.add(`${place.name}: ${secret}`)
  return [...found].sort()
}
