import type { ReconciliationRun, ReconciliationRunResult } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { usePeople } from '../../api/use-people.ts'
import { exceptionKinds, reconciliation as text, terms } from '../../messages/generated/texts.ts'
import { entryOf, nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { formatCount } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { RunDialog } from './run-dialog.tsx'

const filterNames = ['provider', 'status']

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('reconciliation', address, (query, options) =>
    api.reconciliation.listRuns(query, options),
  )
  const mayRun = useMay('exceptions:write')
  const [isRunning, setRunning] = useState(false)
  const [found, setFound] = useState<ReconciliationRunResult>()
  const nameOfPerson = usePeople()
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columnsWith(nameOfPerson)}
        keyOf={({ run_id }) => run_id}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={mayRun && <Button onClick={() => setRunning(true)}>{text.run.button}</Button>}
        notice={found && <Found result={found} />}
        filters={
          <Filters address={address}>
            <ChoiceFilter address={address} name="provider" label={text.provider} options={terms.provider} />
            <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
          </Filters>
        }
      />
      {isRunning && <RunDialog onFound={setFound} onClose={() => setRunning(false)} />}
    </>
  )
}

type Finding = ReconciliationRunResult['findings'][number]

const findingColumns: readonly Column<Finding>[] = [
  { label: text.kind, cell: ({ kind }) => entryOf(exceptionKinds, kind)?.name ?? kind },
  { label: text.reference, cell: ({ reference }) => reference },
  { label: text.summary, cell: ({ summary }) => <span className={work.wrapping}>{summary}</span> },
]

const Found = ({ result }: { result: ReconciliationRunResult }): ReactElement =>
  result.findings.length === 0 ? (
    <Callout tone="good" title={text.none(result.checked)} isAlert />
  ) : (
    <Panel
      title={text.result}
      aside={<Link to={`${paths.exceptions}?status=open`}>{text.openExceptions}</Link>}
    >
      <Table
        title={text.result}
        columns={findingColumns}
        rows={result.findings}
        keyOf={({ kind, reference, payment_id, summary }) => `${kind} ${reference ?? payment_id} ${summary}`}
      />
    </Panel>
  )

const columnsWith = (nameOfPerson: (userId: string) => string): readonly Column<ReconciliationRun>[] => [
  { label: text.finished, cell: ({ finished_at }) => <Moment at={finished_at} /> },
  { label: text.provider, cell: ({ provider }) => nameOf(terms.provider, provider) },
  {
    label: text.status,
    cell: ({ status }) => (
      <Badge tone={status === 'completed' ? 'good' : 'bad'} text={nameOf(text.statuses, status)} />
    ),
  },
  { label: text.checked, isEnd: true, cell: ({ checked }) => countOf(checked) },
  { label: text.findings, isEnd: true, cell: ({ findings }) => countOf(findings) },
  { label: text.since, cell: ({ since }) => <Moment at={since} /> },
  {
    label: text.origin,
    cell: ({ origin, requested_by }) =>
      requested_by === null
        ? nameOf(text.origins, origin)
        : `${text.origins.requested} ${nameOfPerson(requested_by)}`,
  },
]

const countOf = (count: number | null): ReactElement | string =>
  count === null ? <span className={ui.muted}>–</span> : formatCount(count)
