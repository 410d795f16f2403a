import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareStrategies, strategies, type Comparison } from './compare-strategies.ts'
import { drawWorld } from './plot.ts'

/** `npm run routing:world`: the figures and the plot of docs/routing-health.md. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    payments: { type: 'string', default: '20000' },
    hours: { type: 'string', default: '24' },
    plot: { type: 'string', default: join(import.meta.dirname, '../../../docs/routing-world.svg') },
  },
})
const seeds = Array.from({ length: Number(values.seeds) }, (_none, index) => index + 1)
const payments = Number(values.payments)
const hours = Number(values.hours)
const percent = (part: number, digits = 1): string => `${(100 * part).toFixed(digits)} %`
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const comparisons = seeds.map((seed) => compareStrategies({ seed, payments, hours }))
print('| seed | oracle | success_rate | of the oracle | split | priority | explorations a day |')
print('| --- | --- | --- | --- | --- | --- | --- |')
for (const [index, { oracle, runs }] of comparisons.entries()) {
  const share = runs.success_rate.succeeded / oracle.succeeded
  const rates = [oracle, runs.success_rate].map(({ succeeded }) => percent(succeeded / payments))
  const others = [runs.split, runs.priority].map(({ succeeded }) => percent(succeeded / payments))
  const explorations = runs.success_rate.explorationsByDay.join(', ')
  print(
    `| ${seeds[index]} | ${rates.join(' | ')} | ${percent(share)} | ${others.join(' | ')} | ${explorations} of ${strategies.success_rate.daily_limit} |`,
  )
}
print('')
print('| seed | policy | moved | predicted | interval | measured | error |')
print('| --- | --- | --- | --- | --- | --- | --- |')
for (const [index, { predictions }] of comparisons.entries())
  for (const { strategy, predicted, measured, moved } of predictions)
    print(
      `| ${seeds[index]} | ${strategy} | ${moved} | ${percent(predicted.value)} | ${percent(predicted.low)} to ${percent(predicted.high)} | ${percent(measured)} | ${percent(predicted.value - measured, 2)} |`,
    )

const [first] = comparisons
if (first) writeFileSync(values.plot, draw(first))

function draw({ world, oracle, runs }: Comparison): string {
  const perHour = payments / hours
  const line = (label: string, color: string, succeededByHour: readonly number[]) => ({
    label,
    color,
    values: succeededByHour.map((succeeded) => succeeded / perHour),
  })
  return drawWorld(world, [
    line('oracle', '#111827', oracle.succeededByHour),
    line('success_rate', '#dc2626', runs.success_rate.succeededByHour),
    line('split', '#7c3aed', runs.split.succeededByHour),
    line('priority', '#9ca3af', runs.priority.succeededByHour),
  ])
}
