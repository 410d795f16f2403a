import type { ProviderConfig } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { routing as text } from '../../messages/generated/texts.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

export function BoundsDialog({
  config,
  onClose,
}: {
  config: ProviderConfig
  onClose: () => void
}): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.boundsTitle}
      text={text.boundsText}
      submitLabel={text.save}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = { min_amount: field('min_amount') || null, max_amount: field('max_amount') || null }
        await api.providerConfigs.update(config.provider, config.config_id, body, { idempotencyKey })
        await client.invalidateQueries({ queryKey: ['provider-configs'] })
      }}
    >
      <TextField
        name="min_amount"
        label={text.minimum}
        hint={text.boundHint}
        inputMode="decimal"
        defaultValue={config.min_amount}
      />
      <TextField
        name="max_amount"
        label={text.maximum}
        hint={text.boundHint}
        inputMode="decimal"
        defaultValue={config.max_amount}
      />
    </FormDialog>
  )
}
