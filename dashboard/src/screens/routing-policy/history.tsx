import type { RoutingPolicySummary } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { routingPolicies as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import styles from './policy.module.css'
import { useRefresh } from './use-policy.ts'

const tones: Readonly<Record<string, Tone>> = { published: 'good', draft: 'wait' }

/** Every version, with who wrote and published it. Versions that were published before can be restored. */
export function History({ versions }: { versions: readonly RoutingPolicySummary[] }): ReactElement | false {
  const mayWrite = useMay('provider-configs:write')
  const nameOfPerson = usePeople()
  const [target, setTarget] = useState<number>()
  const byWhom = (userId: string | null, at: string | null): ReactElement =>
    userId === null || at === null ? (
      <span className={ui.muted}>{text.never}</span>
    ) : (
      <span className={parts.lines}>
        {nameOfPerson(userId)}
        <span className={parts.small}>
          <Moment at={at} />
        </span>
      </span>
    )
  const columns: Column<RoutingPolicySummary>[] = [
    { label: text.version, cell: ({ version }) => version },
    {
      label: text.state,
      cell: ({ state }) => <Badge tone={tones[state] ?? 'neutral'} text={nameOf(text.states, state)} />,
    },
    {
      label: text.note,
      cell: ({ note, restores }) => (
        <span className={styles.note}>{restores === null ? note : text.restores(restores)}</span>
      ),
    },
    { label: text.written, cell: ({ created_by, created_at }) => byWhom(created_by, created_at) },
    {
      label: text.publishedWhen,
      cell: ({ published_by, published_at }) => byWhom(published_by, published_at),
    },
  ]
  const actions: Column<RoutingPolicySummary> = {
    label: text.actions,
    isEnd: true,
    cell: ({ version, state, published_at: publishedAt }) =>
      state === 'superseded' &&
      publishedAt !== null && (
        <Button className={ui.small} aria-label={text.rollbackOf(version)} onClick={() => setTarget(version)}>
          {text.rollback}
        </Button>
      ),
  }
  return (
    versions.length > 0 && (
      <Panel title={text.history}>
        <Table
          title={text.history}
          columns={mayWrite ? [...columns, actions] : columns}
          rows={versions}
          keyOf={({ version }) => String(version)}
        />
        {target !== undefined && <RollbackDialog version={target} onClose={() => setTarget(undefined)} />}
      </Panel>
    )
  )
}

function RollbackDialog({ version, onClose }: { version: number; onClose: () => void }): ReactElement {
  const refresh = useRefresh()
  return (
    <FormDialog
      title={text.rollbackTitle(version)}
      text={text.rollbackText}
      submitLabel={text.rollback}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.routingPolicies.rollback(String(version), {}, { idempotencyKey })
        showToast(text.rolledBack(version))
        await refresh()
      }}
    />
  )
}
