import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { PassThrough, Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { manifestPathOf, readManifest, type Manifest } from './manifest.ts'

const quote = 0x22
const lineFeed = 0x0a
const zstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 },
}

const hashing = (hash: Hash): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })

/**
 * Writes the CSV into the file, compressed, and its manifest beside it. Both get their names when they are complete and
 * on the disk, the manifest last.
 */
export async function writeArchive(
  path: string,
  csv: { output: Readable; rows: Promise<number> },
  facts: Omit<Manifest, 'format' | 'rows' | 'sha256' | 'csv_sha256'>,
): Promise<Manifest> {
  const [plain, compressed] = [createHash('sha256'), createHash('sha256')]
  const [rows] = await Promise.all([
    csv.rows,
    pipeline(
      csv.output,
      hashing(plain),
      createZstdCompress(zstdOptions),
      hashing(compressed),
      createWriteStream(`${path}.part`, { flush: true }),
    ),
  ])
  const manifest: Manifest = {
    format: 'switchyard-archive/1',
    ...facts,
    rows,
    sha256: compressed.digest('hex'),
    csv_sha256: plain.digest('hex'),
  }
  const manifestPath = manifestPathOf(path)
  await writeFile(`${manifestPath}.part`, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  await rename(`${path}.part`, path)
  await rename(`${manifestPath}.part`, manifestPath)
  await flushDirectory(dirname(path))
  return manifest
}

/** A name that was given survives a power cut once its directory is on the disk. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

export async function removeArchive(path: string): Promise<void> {
  await Promise.all([rm(path, { force: true }), rm(manifestPathOf(path), { force: true })])
}

/** The SHA-256 of what a stream gives. */
export async function digestOf({
  output,
  rows,
}: {
  output: Readable
  rows: Promise<number>
}): Promise<string> {
  const hash = createHash('sha256')
  await Promise.all([rows, pipeline(output, hash)])
  return hash.digest('hex')
}

/** Reads the whole file back and compares it with its manifest; throws when something differs. */
export async function verifyArchive(path: string): Promise<Manifest> {
  const manifest = await readManifest(path)
  const records = await readArchive(path, manifest, () => undefined)
  if (records.rows !== manifest.rows)
    throw new Error(`${basename(path)} has ${records.rows} rows, and its manifest says ${manifest.rows}`)
  if (records.columns.join() !== manifest.columns.join())
    throw new Error(`${basename(path)} has other columns than its manifest says`)
  return manifest
}

/**
 * Calls `use` with each record of the file, as COPY wrote it, without the header. Throws after the last one when the
 * file is not the one that the manifest describes, so nothing may be done with the records before it has returned.
 */
export async function readArchive(
  path: string,
  manifest: Pick<Manifest, 'sha256' | 'csv_sha256'>,
  use: (record: string) => void,
): Promise<{ rows: number; columns: string[] }> {
  const [plain, compressed] = [createHash('sha256'), createHash('sha256')]
  let columns: string[] | undefined
  let rows = 0
  try {
    for await (const record of recordsOf(decompressed(path, plain, compressed))) {
      if (columns === undefined) {
        columns = record.split(',')
        continue
      }
      rows += 1
      use(record)
    }
  } catch (error) {
    throw new Error(`${basename(path)} is damaged: ${String(error)}`, { cause: error })
  }
  if (compressed.digest('hex') !== manifest.sha256 || plain.digest('hex') !== manifest.csv_sha256)
    throw new Error(`${basename(path)} was changed: its checksum is not the one of its manifest`)
  return { rows, columns: columns ?? [] }
}

/** The CSV of an archive. An error of any part ends it. */
export function decompressed(
  path: string,
  plain: Hash = createHash('sha256'),
  compressed: Hash = createHash('sha256'),
): Readable {
  const output = new PassThrough()
  pipeline(createReadStream(path), hashing(compressed), createZstdDecompress(), hashing(plain), output).catch(
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return output
}

/** Splits CSV where a line ends outside quotes. */
async function* recordsOf(csv: Readable): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  let isQuoted = false
  for await (const chunk of csv) {
    const bytes = Buffer.concat([rest, chunk as Buffer]) // the stream is binary
    let start = 0
    for (let at = rest.length; at < bytes.length; at += 1) {
      if (bytes[at] === quote) isQuoted = !isQuoted
      if (bytes[at] !== lineFeed || isQuoted) continue
      yield bytes.toString('utf8', start, at)
      start = at + 1
    }
    rest = bytes.subarray(start)
  }
  if (rest.length > 0) throw new Error('the archive ends within a row')
}
