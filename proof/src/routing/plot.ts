import type { World } from './world.ts'

interface Line {
  label: string
  color: string
  values: readonly number[]
}

const width = 900
const panelHeight = 220
const left = 60
const right = 150
const gap = 56
const low = 0.5
const high = 1
const ticks = [0.5, 0.6, 0.7, 0.8, 0.9, 1]

const hoursPerLabel = 6

const plotWidth = width - left - right
const colors = ['#2563eb', '#d97706', '#059669']

/** Two panels over the hours: the truth of each provider, and what each strategy got. */
export function drawWorld(world: World, strategies: readonly Line[]): string {
  const truth = world.accounts.map(({ provider }, index) => ({
    label: provider,
    color: colors[index] ?? '#000000',
    values: world.rates[index] ?? [],
  }))
  const height = 2 * (panelHeight + gap) + 10
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    panel(truth, { top: 34, title: 'True success rate of each provider, by the hour', isStepped: true }),
    panel(strategies, {
      top: 34 + panelHeight + gap,
      title: 'Share of the payments that succeeded, by the hour',
      isStepped: false,
    }),
    '</svg>',
    '',
  ].join('\n')
}

const yOf = (value: number, top: number): number =>
  top + panelHeight - ((Math.max(low, value) - low) / (high - low)) * panelHeight

function panel(
  lines: readonly Line[],
  { top, title, isStepped }: { top: number; title: string; isStepped: boolean },
): string {
  const grid = ticks.map((tick) => {
    const y = yOf(tick, top).toFixed(1)
    return `<line x1="${left}" x2="${left + plotWidth}" y1="${y}" y2="${y}" stroke="#e5e7eb"/><text x="${left - 8}" y="${y}" dy="4" text-anchor="end" fill="#4b5563">${Math.round(tick * 100)} %</text>`
  })
  const hours = lines[0]?.values.length ?? 0
  const axis = Array.from({ length: Math.floor(hours / hoursPerLabel) + 1 }, (_none, index) => {
    const hour = index * hoursPerLabel
    const x = (left + (hour * plotWidth) / hours).toFixed(1)
    return `<text x="${x}" y="${top + panelHeight + 20}" text-anchor="middle" fill="#4b5563">${hour} h</text>`
  })
  const drawn = lines.map(
    ({ color, values }) =>
      `<path d="${pathOf(values, top, isStepped)}" fill="none" stroke="${color}" stroke-width="2"/>`,
  )
  const legend = lines.map(({ label, color }, index) => {
    const y = top + 12 + index * 22
    return `<line x1="${left + plotWidth + 14}" x2="${left + plotWidth + 34}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="3"/><text x="${left + plotWidth + 40}" y="${y + 4}" fill="#111827">${label}</text>`
  })
  return [
    `<text x="${left}" y="${top - 12}" font-weight="600" fill="#111827">${title}</text>`,
    ...grid,
    ...axis,
    ...drawn,
    ...legend,
  ].join('\n')
}

function pathOf(values: readonly number[], top: number, isStepped: boolean): string {
  const step = plotWidth / values.length
  return values
    .map((value, hour) => {
      const y = yOf(value, top).toFixed(1)
      const from = (left + hour * step).toFixed(1)
      const to = (left + (hour + 1) * step).toFixed(1)
      const middle = (left + (hour + 1 / 2) * step).toFixed(1)
      const command = hour === 0 ? 'M' : 'L'
      return isStepped ? `${command}${from} ${y}L${to} ${y}` : `${command}${middle} ${y}`
    })
    .join('')
}
