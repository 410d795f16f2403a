import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import {
  measureScreening,
  type Measurement,
} from '@switchyard/server/domains/compliance/sanctions/testing/measure-screening.ts'

/** `npm run sanctions:measure`: measures the screening of names, and writes the figures into docs/sanctions.md. */
const page = new URL('../../docs/sanctions.md', import.meta.url)
const [begin, end] = ['<!-- figures -->', '<!-- end of the figures -->']

const percent = (part: number, whole: number, digits = 1): string =>
  whole === 0 ? '' : `${((100 * part) / whole).toFixed(digits)} %`

type Recalls = Measurement['disguised']

const describeRecall = (
  recalls: Recalls,
): string => `| how the name is written | asked | by the name alone | with date of birth and country |
| --- | --- | --- | --- |
${recalls.map((row) => `| ${row.kind} | ${row.asked} | ${percent(row.foundByName, row.identified)} | ${percent(row.found, row.asked)} |`).join('\n')}`

const describeOrdinary = (ordinary: Measurement['ordinary']): string => {
  const sum = (count: (row: Measurement['ordinary'][number]) => number): number =>
    ordinary.reduce((total, row) => total + count(row), 0)
  const all = {
    group: 'All',
    asked: sum((row) => row.asked),
    byName: sum((row) => row.byName),
    withSigns: sum((row) => row.withSigns),
  }
  return `| ordinary names | asked | held by the name alone | with date of birth and country |
| --- | --- | --- | --- |
${[...ordinary, all].map((row) => `| ${row.group} | ${row.asked} | ${percent(row.byName, row.asked, 2)} | ${percent(row.withSigns, row.asked, 2)} |`).join('\n')}`
}

const describeCurve = (
  curve: Measurement['curve'],
): string => `| bits that a match needs | listed names found by themselves | found with date of birth and country | ordinary names held by the name alone | with date of birth and country |
| --- | --- | --- | --- | --- |
${curve
  .map(
    ({ bits, listed, ordinary }) =>
      `| ${bits} | ${percent(listed.identified, listed.asked)} | ${percent(listed.found, listed.asked)} | ${percent(ordinary.byName, ordinary.asked, 2)} | ${percent(ordinary.withSigns, ordinary.asked, 2)} |`,
  )
  .join('\n')}`

const describe = (measured: Measurement): string => {
  const { entries, names, buildMs, heapMegabytes, latency } = measured
  return `
Disguises:

${describeRecall(measured.disguised)}

Honest variations:

${describeRecall(measured.varied)}

${describeOrdinary(measured.ordinary)}

The curve from which the threshold was chosen:

${describeCurve(measured.curve)}

The list has ${entries} invented entries with ${names} names. The index is built in ${(buildMs / 1_000).toFixed(1)} s and takes about ${Math.round(heapMegabytes)} MB. A name takes ${latency.p50Ms.toFixed(2)} ms of processor time (p50), ${latency.p99Ms.toFixed(2)} ms (p99), over ${latency.asked} screenings on one of ${availableParallelism()} cores.
`
}

const measured = await measureScreening({
  entries: 100_000,
  perKind: 500,
  every: 1,
  thresholds: [22, 20, 19, 18, 17, 16, 14],
})
const text = await readFile(page, 'utf8')
const [before, rest] = text.split(begin)
const after = rest?.split(end)[1]
if (after === undefined) throw new Error(`docs/sanctions.md has no ${begin}`)
await writeFile(page, `${before}${begin}\n${describe(measured)}\n${end}${after}`)
process.stdout.write(describe(measured))
