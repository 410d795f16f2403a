import type { RoutingSimulation } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { policyRule, terms, whatIf as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { countryName, formatCount, formatShare } from '../../ui/format.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import styles from './policy.module.css'

type SimulationResult = NonNullable<RoutingSimulation['result']>
type Corridor = SimulationResult['corridors'][number]
type Range = SimulationResult['before']['success_rate']

interface Row extends Pick<Corridor, 'payments' | 'moved' | 'without_data' | 'before' | 'after'> {
  name: string
}

export function WhatIfResult({ result }: { result: SimulationResult }): ReactElement {
  const rows: Row[] = [
    { ...result, name: text.total },
    ...result.corridors.map((corridor) => ({ ...corridor, name: nameOfCorridor(corridor) })),
  ]
  return (
    <>
      <Panel title={text.moved(result.moved, formatCount(result.payments))}>
        <Table title={text.title} columns={columns} rows={rows} keyOf={({ name }) => name} />
        <p className={styles.hint}>{text.intervals}</p>
      </Panel>
      <Notes notes={result.notes} />
    </>
  )
}

const nameOfCorridor = ({ direction, payment_method, country, card_brand }: Corridor): string => {
  const name = text.corridorOf(
    nameOf(policyRule.directions, direction).toLowerCase(),
    nameOf(terms.method, payment_method).toLowerCase(),
    countryName(country),
  )
  return card_brand === null ? name : `${name}, ${card_brand}`
}

/** The server marks figures for which there is no data or too little. */
const Notes = ({ notes }: { notes: readonly string[] }): ReactElement | false =>
  notes.length > 0 && (
    <Panel title={text.notes}>
      <ul className={styles.notes}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  )

const Figure = ({ range }: { range: Range }): ReactElement =>
  range === null ? (
    <span className={ui.muted}>{text.noData}</span>
  ) : (
    <span className={parts.lines}>
      <span className={ui.number}>{formatShare(range.value)}</span>
      <span className={parts.small}>{text.interval(formatShare(range.low), formatShare(range.high))}</span>
    </span>
  )

const figure = (label: string, rangeOf: (row: Row) => Range): Column<Row> => ({
  label,
  isEnd: true,
  cell: (row) => <Figure range={rangeOf(row)} />,
})

const columns: readonly Column<Row>[] = [
  { label: text.corridor, cell: ({ name }) => <span className={styles.note}>{name}</span> },
  {
    label: text.payments,
    isEnd: true,
    cell: ({ payments }) => <span className={ui.number}>{formatCount(payments)}</span>,
  },
  {
    label: text.movedShort,
    isEnd: true,
    cell: ({ moved, without_data: unknown }) => (
      <span className={parts.lines}>
        <span className={ui.number}>{formatCount(moved)}</span>
        {unknown > 0 && <span className={parts.small}>{text.noDataFor(unknown)}</span>}
      </span>
    ),
  },
  figure(text.successBefore, ({ before }) => before.success_rate),
  figure(text.successAfter, ({ after }) => after.success_rate),
  figure(text.costBefore, ({ before }) => before.cost_share),
  figure(text.costAfter, ({ after }) => after.cost_share),
]
