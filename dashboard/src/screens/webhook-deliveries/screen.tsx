import type { ReactElement } from 'react'
import { useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { deliveries as text } from '../../messages/generated/texts.ts'
import { deliveryPath } from '../../paths.ts'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage } from '../../ui/list-page.tsx'
import { deliveryColumns, useEventOptions } from '../webhooks/parts.tsx'

const filterNames = ['status', 'event_type']

export function Screen(): ReactElement {
  const { webhookId = '' } = useParams()
  const address = useListAddress(filterNames)
  const result = useList(`deliveries/${webhookId}`, address, (query, options) =>
    api.webhooks.listDeliveries(webhookId, query, options),
  )
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={deliveryColumns}
      keyOf={({ delivery_id }) => delivery_id}
      pathOf={({ delivery_id }) => deliveryPath(webhookId, delivery_id)}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <Filters address={address}>
          <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
          <ChoiceFilter
            address={address}
            name="event_type"
            label={text.eventType}
            options={useEventOptions()}
          />
        </Filters>
      }
    />
  )
}
