import type { SanctionsListVersion, SanctionsScreeningRun } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { matches, sanctionsLists as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Callout } from '../../ui/callout.tsx'
import { formatCount } from '../../ui/format.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { SanctionsLists } from '../sanctions-matches/parts.tsx'

const idleMs = 30_000
const runningMs = 2_000

export function Screen(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['sanctions-lists'],
    queryFn: ({ signal }) => api.sanctionsLists.get({ signal }),
    refetchInterval: ({ state }) => (state.data?.runs.some(isRunning) === true ? runningMs : idleMs),
  })
  const inForce = new Set(data?.in_force.map(({ list_version_id }) => list_version_id))
  const earlier = data?.versions.filter(({ list_version_id }) => !inForce.has(list_version_id)) ?? []
  return (
    <Page title={text.title}>
      <SanctionsLists />
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <>
          {data.runs.some(isRunning) && <Callout tone="wait" title={text.running} />}
          <Panel title={text.inForce}>
            {data.in_force.length === 0 ? (
              <EmptyState title={text.empty} text={text.emptyText} />
            ) : (
              <Table title={text.inForce} columns={versionColumns} rows={data.in_force} keyOf={keyOf} />
            )}
          </Panel>
          <Runs runs={data.runs} versions={data.versions} />
          {earlier.length > 0 && (
            <Panel title={text.earlier}>
              <Table title={text.earlier} columns={versionColumns} rows={earlier} keyOf={keyOf} />
            </Panel>
          )}
        </>
      )}
    </Page>
  )
}

const isRunning = ({ finished_at }: SanctionsScreeningRun): boolean => finished_at === null

const keyOf = ({ list_version_id }: SanctionsListVersion): string => list_version_id

const versionColumns: readonly Column<SanctionsListVersion>[] = [
  { label: text.list, cell: ({ source }) => nameOf(matches.sources, source) },
  {
    label: text.file,
    cell: ({ file_name, sha256 }) => (
      <bdi className={ui.ellipsis} title={`SHA-256 ${sha256}`}>
        {file_name}
      </bdi>
    ),
  },
  { label: text.entries, isEnd: true, cell: ({ entries }) => formatCount(entries) },
  { label: text.loadedBy, cell: ({ loaded_by }) => loaded_by },
  { label: text.since, cell: ({ published_at }) => published_at !== null && <Moment at={published_at} /> },
]

const runTones: Readonly<Record<string, Tone>> = { done: 'good', superseded: 'neutral' }

function Runs({
  runs,
  versions,
}: {
  runs: readonly SanctionsScreeningRun[]
  versions: readonly SanctionsListVersion[]
}): ReactElement {
  const sourceOf = new Map(versions.map(({ list_version_id, source }) => [list_version_id, source]))
  const columns: readonly Column<SanctionsScreeningRun>[] = [
    {
      label: text.run,
      cell: ({ list_version_id }) => nameOf(matches.sources, sourceOf.get(list_version_id) ?? ''),
    },
    {
      label: text.phase,
      cell: ({ phase }) => <Badge tone={runTones[phase] ?? 'wait'} text={nameOf(text.phases, phase)} />,
    },
    { label: text.screened, isEnd: true, cell: ({ screened }) => formatCount(screened) },
    { label: text.matched, isEnd: true, cell: ({ matched }) => formatCount(matched) },
    { label: text.started, cell: ({ started_at }) => <Moment at={started_at} /> },
    { label: text.finished, cell: ({ finished_at }) => finished_at !== null && <Moment at={finished_at} /> },
  ]
  return (
    <Panel title={text.runs}>
      {runs.length === 0 ? (
        <EmptyState title={text.runsEmpty} text={text.runsEmptyText} />
      ) : (
        <Table title={text.runs} columns={columns} rows={runs} keyOf={({ run_id }) => run_id} />
      )}
    </Panel>
  )
}
