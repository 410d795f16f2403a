import type { Trends } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { analytics as text } from '../../messages/generated/texts.ts'
import { formatCount } from '../../ui/format.ts'
import styles from './analytics.module.css'

type Day = Trends['series'][number]

const width = 960
const height = 180
const gap = 0.25

interface DayChartProps {
  currency: string
  days: readonly string[]
  series: ReadonlyMap<string, Day>
}

/** One bar per day, with completed payments at the bottom and the others on top. The table has the numbers. */
export function DayChart({ currency, days, series }: DayChartProps): ReactElement {
  const most = Math.max(...[...series.values()].map(({ count }) => count), 1)
  const step = width / days.length
  const tall = (count: number): number => (count / most) * height
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className={styles.chart}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.chart(currency, days[0] ?? '', days.at(-1) ?? '')}
      >
        {days.map((day, index) => {
          const { count = 0, completed = 0 } = series.get(day) ?? {}
          const bar = { x: index * step + (step * gap) / 2, width: step * (1 - gap) }
          return (
            <g key={day}>
              <title>{`${day}: ${formatCount(count)}`}</title>
              <rect
                className={styles.completed}
                {...bar}
                y={height - tall(completed)}
                height={tall(completed)}
              />
              <rect
                className={styles.other}
                {...bar}
                y={height - tall(count)}
                height={tall(count) - tall(completed)}
              />
            </g>
          )
        })}
      </svg>
      <figcaption className={styles.axis}>
        <span>{days[0]}</span>
        <span className={styles.legend}>
          <span className={styles.completedKey}>{text.completedBars}</span>
          <span className={styles.otherKey}>{text.otherBars}</span>
        </span>
        <span>{days.at(-1)}</span>
      </figcaption>
    </figure>
  )
}
