import type { DeadLettersReplayBody, Delivery } from '@switchyard/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { deadLetters as text, deliveries } from '../../messages/generated/texts.ts'
import { deliveryPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress, type ListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'
import { triesColumns, useEventOptions, WebhookLists } from '../webhooks/parts.tsx'

const filterNames = ['webhook_id', 'event_type']

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('dead-letters', address, (query, options) => api.deadLetters.list(query, options))
  const endpoints = useEndpoints()
  const mayWrite = useMay('webhooks:write')
  const [isReplaying, setReplaying] = useState(false)
  const hasRows = (result.data?.data.length ?? 0) > 0
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={useColumns(endpoints, mayWrite)}
        keyOf={({ delivery_id }) => delivery_id}
        pathOf={({ webhook_id, delivery_id }) => deliveryPath(webhook_id, delivery_id)}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={
          mayWrite &&
          hasRows && (
            <Button onClick={() => setReplaying(true)}>
              {address.isFiltered ? text.replayMatching : text.replayAll}
            </Button>
          )
        }
        filters={
          <>
            <WebhookLists />
            <Filters address={address}>
              <ChoiceFilter address={address} name="webhook_id" label={text.endpoint} options={endpoints} />
              <ChoiceFilter
                address={address}
                name="event_type"
                label={deliveries.eventType}
                options={useEventOptions()}
              />
            </Filters>
          </>
        }
      />
      {isReplaying && <ReplayDialog address={address} onClose={() => setReplaying(false)} />}
    </>
  )
}

/** The endpoints' URLs by id. */
function useEndpoints(): Record<string, string> {
  const { data = [] } = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => api.webhooks.list({ signal }),
  })
  return Object.fromEntries(data.map(({ webhook_id, endpoint_url }) => [webhook_id, endpoint_url]))
}

function useColumns(endpoints: Record<string, string>, mayWrite: boolean): readonly Column<Delivery>[] {
  const client = useQueryClient()
  const replay = useMutation({
    mutationFn: ({ event_id, webhook_id }: Delivery) => api.events.replay(event_id, { webhook_id }),
    onSuccess: () => {
      showToast(deliveries.replayed)
      return client.invalidateQueries({ queryKey: ['dead-letters'] })
    },
    onError: (failure) => showToast(failure.message),
  })
  const columns: readonly Column<Delivery>[] = [
    { label: deliveries.eventType, isLink: true, cell: ({ event_type }) => event_type },
    { label: text.endpoint, cell: ({ webhook_id }) => endpoints[webhook_id] ?? webhook_id },
    ...triesColumns,
    { label: text.givenUp, cell: ({ updated_at }) => <Moment at={updated_at} /> },
  ]
  if (!mayWrite) return columns
  return [
    ...columns,
    {
      label: text.replay,
      isEnd: true,
      cell: (row) => (
        <Button
          className={ui.small}
          aria-label={text.replayOf(row.event_type)}
          disabled={replay.isPending}
          onClick={() => replay.mutate(row)}
        >
          {text.replay}
        </Button>
      ),
    },
  ]
}

function ReplayDialog({ address, onClose }: { address: ListAddress; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.replayTitle}
      text={text.replayText}
      submitLabel={address.isFiltered ? text.replayMatching : text.replayAll}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const filters: DeadLettersReplayBody = address.filters
        const { replayed } = await api.deadLetters.replay(filters, { idempotencyKey })
        showToast(text.replayed(replayed))
        await client.invalidateQueries({ queryKey: ['dead-letters'] })
      }}
    />
  )
}
