import type { TimelineEntry } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { payment } from '../../messages/generated/texts.ts'
import { formatDuration } from '../../ui/format.ts'
import { Scroll } from '../../ui/page.tsx'
import { layOutLanes, type LaneLayout } from './lay-out-lanes.ts'
import styles from './payment.module.css'

const laneHeight = 44
const topHeight = 26
const barHeight = 10
const markRadius = 5.5

interface LanesProps {
  entries: readonly TimelineEntry[]
  isInbound: boolean
  active: string
  onPoint: (entryId: string) => void
}

const middleOf = (lane: number): number => topHeight + lane * laneHeight + laneHeight / 2

/** Shows who did what, with time running to the right. Each mark links to its entry in the list. */
export function Lanes({ entries, isInbound, active, onPoint }: LanesProps): ReactElement {
  const layout = layOutLanes(entries, isInbound)
  const height = topHeight + layout.lanes.length * laneHeight
  return (
    <div className={styles.lanes}>
      <ul className={styles.laneNames} aria-hidden="true">
        {layout.lanes.map(({ id, label }) => (
          <li key={id}>{label}</li>
        ))}
      </ul>
      <Scroll label={payment.lanesLabel}>
        <svg width={layout.width} height={height} className={styles.picture}>
          <defs>
            <pattern
              id="doubt"
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="6" height="6" className={styles.hatchGround} />
              <rect width="2.5" height="6" className={styles.hatchLine} />
            </pattern>
          </defs>
          <Grid layout={layout} height={height} />
          {layout.bars.map((bar) => (
            <rect
              key={`${bar.entryId} ${bar.x}`}
              className={`${styles.bar} ${styles[bar.tone]}`}
              x={bar.x}
              y={middleOf(bar.lane) - barHeight / 2}
              width={bar.width}
              height={barHeight}
              rx={3}
            />
          ))}
          {layout.marks.map((mark) => (
            <Link
              key={mark.entryId}
              to={{ hash: mark.entryId, search: location.search }}
              replace
              preventScrollReset
              aria-label={mark.label}
              className={`${styles.mark} ${styles[mark.tone]} ${mark.entryId === active ? styles.isActive : ''}`}
              onMouseEnter={() => onPoint(mark.entryId)}
              onFocus={() => onPoint(mark.entryId)}
            >
              <title>{mark.label}</title>
              <circle className={styles.target} cx={mark.x} cy={middleOf(mark.lane)} r={12} />
              <circle cx={mark.x} cy={middleOf(mark.lane)} r={markRadius} />
            </Link>
          ))}
        </svg>
      </Scroll>
    </div>
  )
}

const Grid = ({ layout, height }: { layout: LaneLayout; height: number }): ReactElement => (
  <g aria-hidden="true">
    {layout.lanes.map(({ id }, lane) => (
      <line key={id} className={styles.lane} x1={0} x2="100%" y1={middleOf(lane)} y2={middleOf(lane)} />
    ))}
    {layout.folds.map((fold) => (
      <g key={fold.x}>
        <rect className={styles.fold} x={fold.x} y={0} width={fold.width} height={height} />
        <text className={styles.foldText} x={fold.x + fold.width / 2} y={16} textAnchor="middle">
          {formatDuration(fold.ms)}
        </text>
      </g>
    ))}
  </g>
)
