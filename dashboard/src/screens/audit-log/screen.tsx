import type { AuditEntry } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { auditLog as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useIdentity } from '../../shell/session.tsx'
import { DayFilter, Filters, TextFilter } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import styles from './audit-log.module.css'
import { diffOf } from './diff.ts'

const filterNames = ['action', 'resource_type', 'resource_id', 'from', 'to']

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const { org_id } = useIdentity().me
  const result = useList('audit-log', address, ({ last_evaluated_key, ...query }, options) =>
    api.auditLog.list(org_id, { ...query, lastEvaluatedKey: last_evaluated_key }, options),
  )
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columns}
      keyOf={({ audit_id }) => audit_id}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <Filters address={address}>
          <TextFilter address={address} name="action" label={text.action} />
          <TextFilter address={address} name="resource_type" label={text.resourceType} />
          <TextFilter address={address} name="resource_id" label={text.resource} />
          <DayFilter address={address} name="from" label={text.from} />
          <DayFilter address={address} name="to" label={text.to} />
        </Filters>
      }
    />
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { label: text.at, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    label: text.who,
    cell: ({ user_name, user_id, credential, ip }) => (
      <span className={parts.lines}>
        <span className={styles.person}>{user_name ?? user_id}</span>
        <span className={parts.small}>
          {nameOf(text.credential, credential)}, {ip}
        </span>
      </span>
    ),
  },
  {
    label: text.action,
    cell: ({ action, resource_type, resource_id }) => (
      <span className={parts.lines}>
        <span className={parts.mono}>{action}</span>
        <span className={`${parts.small} ${styles.resource}`}>
          {resource_type} {resource_id}
        </span>
      </span>
    ),
  },
  { label: text.changes, cell: (entry) => <Changes entry={entry} /> },
]

function Changes({ entry }: { entry: AuditEntry }): ReactElement {
  const changes = diffOf(entry.before, entry.after)
  if (changes.length === 0) return <span className={ui.muted}>{text.noChange}</span>
  return (
    <details className={styles.changes}>
      <summary>{text.changed(changes.length)}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.field}</th>
            <th scope="col">{text.before}</th>
            <th scope="col">{text.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td className={before === undefined ? undefined : styles.before}>{before ?? text.nothing}</td>
              <td className={after === undefined ? undefined : styles.after}>{after ?? text.nothing}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
