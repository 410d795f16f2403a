import type { RequestLogEntry } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useMemberNames } from '../../api/member-names.ts'
import { useList } from '../../api/use-list.ts'
import { requestLog as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import styles from './request-log.module.css'

const filterNames = ['status_class', 'method', 'route', 'api_key_id', 'request_id']
const methods = { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' }

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('request-log', address, (query, options) => api.requestLog.list(query, options))
  const keys = useKeyNames()
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={useColumns(keys)}
      keyOf={({ entry_id }) => entry_id}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <>
          <p className={ui.muted}>{text.text}</p>
          <Filters address={address}>
            <ChoiceFilter
              address={address}
              name="status_class"
              label={text.statusClass}
              options={text.statusClasses}
            />
            <ChoiceFilter address={address} name="method" label={text.method} options={methods} />
            <TextFilter address={address} name="route" label={text.route} />
            <ChoiceFilter address={address} name="api_key_id" label={text.key} options={keys} />
            <TextFilter address={address} name="request_id" label={text.requestId} />
          </Filters>
        </>
      }
    />
  )
}

/** The names of the API keys by id. */
function useKeyNames(): Record<string, string> {
  const { data = [] } = useQuery({
    queryKey: ['api-keys', 'names'],
    queryFn: ({ signal }) => api.apiKeys.list({ limit: 100 }, { signal }).toArray({ limit: 300 }),
    enabled: useMay('api-keys:read'),
  })
  return Object.fromEntries(data.map(({ api_key_id, name, prefix }) => [api_key_id, `${name} (${prefix}…)`]))
}

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'wait' : 'bad')

function useColumns(keys: Record<string, string>): readonly Column<RequestLogEntry>[] {
  const nameOfMember = useMemberNames()
  return [
    {
      label: text.request,
      cell: ({ method, route }) => (
        <span className={`${parts.mono} ${styles.request}`}>
          <b>{method}</b> {route}
        </span>
      ),
    },
    {
      label: text.status,
      cell: ({ status, code }) => (
        <span className={parts.lines}>
          <span>
            <Badge tone={toneOf(status)} text={String(status)} />
          </span>
          {code !== null && <span className={styles.code}>{code}</span>}
        </span>
      ),
    },
    {
      label: text.duration,
      isEnd: true,
      cell: ({ duration_ms }) => <span className={ui.number}>{text.milliseconds(duration_ms)}</span>,
    },
    {
      label: text.caller,
      cell: ({ api_key_id, credential, user_id }) => (
        <span className={ui.ellipsis}>
          {api_key_id === null
            ? nameOfMember(user_id)
            : (keys[api_key_id] ?? nameOf(text.credentials, credential))}
        </span>
      ),
    },
    { label: text.at, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      label: text.requestId,
      cell: ({ request_id }) => <CopyButton text={request_id} label={`${text.requestId} ${request_id}`} />,
    },
  ]
}
