import type { TimelineEntry } from '@switchyard/sdk'
import { useEffect, useRef, useState, type ReactElement } from 'react'
import { Link, useSearchParams } from 'react-router'
import { payment } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { formatDay, formatTime } from '../../ui/format.ts'
import { JsonView } from '../../ui/json-view.tsx'
import { summaryOf } from './describe-entry.ts'
import styles from './payment.module.css'

interface TimelineListProps {
  entries: readonly TimelineEntry[]
  active: string
  onPoint: (entryId: string) => void
}

/** Everything that happened, oldest first. Each entry has its own URL. */
export function TimelineList({ entries, active, onPoint }: TimelineListProps): ReactElement {
  const [query, setQuery] = useSearchParams()
  const kind = query.get('kind') ?? ''
  const kinds = [...new Set(entries.map((entry) => entry.kind))]
  const shown = kinds.includes(kind) ? entries.filter((entry) => entry.kind === kind) : entries
  const choose = (chosen: string): void => {
    const next = new URLSearchParams(location.search)
    if (chosen === '') next.delete('kind')
    else next.set('kind', chosen)
    setQuery(next, { replace: true, preventScrollReset: true })
  }
  return (
    <>
      <div className={styles.chips} role="group" aria-label={payment.shownKinds}>
        {['', ...kinds].map((one) => (
          <button
            key={one}
            type="button"
            className={styles.chip}
            aria-pressed={one === (kinds.includes(kind) ? kind : '')}
            onClick={() => choose(one)}
          >
            {one === '' ? payment.all : nameOf(payment.kind, one)}
            <span>{one === '' ? entries.length : entries.filter((entry) => entry.kind === one).length}</span>
          </button>
        ))}
      </div>
      <ol className={styles.entries} aria-label={payment.listLabel}>
        {shown.map((entry, index) => (
          <Entry
            key={entry.entry_id}
            entry={entry}
            isNewDay={dayOf(entry) !== dayOf(shown[index - 1])}
            isActive={entry.entry_id === active}
            onPoint={onPoint}
          />
        ))}
      </ol>
    </>
  )
}

const dayOf = (entry: TimelineEntry | undefined): string => (entry ? formatDay(entry.at) : '')

interface EntryProps {
  entry: TimelineEntry
  isNewDay: boolean
  isActive: boolean
  onPoint: (entryId: string) => void
}

function Entry({ entry, isNewDay, isActive, onPoint }: EntryProps): ReactElement {
  const item = useRef<HTMLLIElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isLinked = decodeURIComponent(location.hash.slice(1)) === entry.entry_id
  useEffect(() => {
    if (isLinked) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isLinked])
  return (
    <>
      {isNewDay && <li className={styles.day}>{dayOf(entry)}</li>}
      <li
        ref={item}
        id={entry.entry_id}
        className={`${styles.entry} ${isActive ? styles.isActive : ''}`}
        onMouseEnter={() => onPoint(entry.entry_id)}
      >
        <time dateTime={entry.at} className={styles.time}>
          {formatTime(entry.at)}
        </time>
        <span className={styles.kind}>{nameOf(payment.entryKind, entry.kind)}</span>
        <details className={styles.details} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{summaryOf(entry)}</summary>
          {isOpen && <JsonView value={entry} label={payment.raw} />}
        </details>
        <Link
          className={styles.anchor}
          to={{ hash: entry.entry_id, search: location.search }}
          replace
          preventScrollReset
          aria-label={`${payment.linkTo}: ${summaryOf(entry)}`}
        >
          #
        </Link>
      </li>
    </>
  )
}
