import type { Webhook, WebhooksCreateBody } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { webhooks as text } from '../../messages/generated/texts.ts'
import { Checks } from '../../ui/checks.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useEventTypes } from './parts.tsx'

interface EndpointFormProps {
  title: string
  submitLabel: string
  endpoint?: Webhook
  onClose: () => void
  onSubmit: (body: WebhooksCreateBody, idempotencyKey: string) => Promise<void>
}

/** The URL, the description and the event types of a new or existing endpoint. */
export function EndpointForm({
  title,
  submitLabel,
  endpoint,
  onClose,
  onSubmit,
}: EndpointFormProps): ReactElement {
  const types = (useEventTypes().data ?? []).map(({ event_type }) => event_type)
  const isToAll = types.every((type) => endpoint?.events.includes(type))
  const [changed, setChanged] = useState<ReadonlySet<string>>()
  const chosen = changed ?? new Set(isToAll ? [] : endpoint?.events)
  return (
    <FormDialog
      title={title}
      text={text.addText}
      submitLabel={submitLabel}
      onClose={onClose}
      onSubmit={({ text: field, idempotencyKey }) =>
        onSubmit(
          {
            endpoint_url: field('endpoint_url'),
            description: field('description') || null,
            // The options are the values of the catalogue.
            events: chosen.size === 0 ? null : ([...chosen] as NonNullable<WebhooksCreateBody['events']>),
          },
          idempotencyKey,
        )
      }
    >
      <TextField
        name="endpoint_url"
        label={text.url}
        type="url"
        required
        placeholder="https://"
        defaultValue={endpoint?.endpoint_url}
      />
      <TextField
        name="description"
        label={text.description}
        maxLength={500}
        defaultValue={endpoint?.description ?? ''}
      />
      <Checks
        legend={text.subscribed}
        hint={text.chooseHint}
        options={types}
        chosen={chosen}
        onChange={setChanged}
      />
    </FormDialog>
  )
}
