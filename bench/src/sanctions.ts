import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import {
  measureScreening,
  type Measurement,
} from '@switchyard/server/domains/compliance/sanctions/testing/measure-screening.ts'

/** `npm run sanctions:measure`: measures the screening of names, and writes the figures into docs/sanctions.md. */
const page = new URL('../../docs/sanctions.md', import.meta.url)
const [begin, end] = ['<!-- figures -->', '<!-- end of the figures -->']

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

const describe = ({
  entries,
  names,
  buildMs,
  heapMegabytes,
  recall,
  strangers,
  latency,
}: Measurement): string => `
| how the name is written | asked | found |
| --- | --- | --- |
${recall.map((row) => `| ${row.variation} | ${row.asked} | ${percent(row.found, row.asked)} |`).join('\n')}

Of ${strangers.asked} people who are not on the list, ${percent(strangers.withHit, strangers.asked)} possibly match somebody by the name alone, and ${percent(strangers.withDateOfBirth, strangers.asked)} if their date of birth and country are known.

The list has ${entries} invented entries with ${names} names. The index is built in ${(buildMs / 1_000).toFixed(1)} s and takes about ${Math.round(heapMegabytes)} MB. A name takes ${latency.p50Ms.toFixed(2)} ms of processor time (p50), ${latency.p99Ms.toFixed(2)} ms (p99), over ${latency.asked} names on one of ${availableParallelism()} cores.
`

const measured = await measureScreening({ entries: 100_000, perVariation: 1_000, strangers: 5_000 })
const text = await readFile(page, 'utf8')
const [before, rest] = text.split(begin)
const after = rest?.split(end)[1]
if (after === undefined) throw new Error(`docs/sanctions.md has no ${begin}`)
await writeFile(page, `${before}${begin}\n${describe(measured)}\n${end}${after}`)
process.stdout.write(describe(measured))
