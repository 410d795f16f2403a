import type { FeeSchedule, FeeSchedulesCreateBody } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { feeSchedules, settings } from '../../messages/generated/texts.ts'
import { showToast } from '../../shell/toasts.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { AmountField, CodeField } from '../../ui/money-fields.tsx'
import type { ReadField } from '../../ui/read-form.ts'
import { isHeld } from '../members/parts.tsx'

const { form: text, retireDialog } = feeSchedules

function oneOf<Value extends string>(values: Readonly<Record<Value, string>>, value: string): Value | null {
  return value in values ? (value as Value) : null // it is one of the keys
}

function readSchedule(field: ReadField, orgId: string): FeeSchedulesCreateBody {
  const decimals = (['percent', 'fixed', 'minimum', 'maximum'] as const).flatMap((name) => {
    const typed = field(name)
    return typed === '' ? [] : [[name, typed]]
  })
  return {
    org_id: field('scope') === 'all' ? null : orgId,
    label: field('label'),
    direction: oneOf(text.directions, field('direction')),
    payment_method: oneOf(text.methods, field('payment_method')),
    country: field('country').toUpperCase() || null,
    currency: field('currency').toUpperCase() || null,
    ...Object.fromEntries(decimals),
    returned_on_refund: field('returned_on_refund') === 'returned',
  }
}

/** Only the operator creates schedules. They apply immediately, or when a second operator has agreed. */
export function CreateDialog({ orgId, onClose }: { orgId: string; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.title}
      text={text.text}
      submitLabel={text.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const answer = await api.feeSchedules.create(readSchedule(field, orgId), { idempotencyKey })
        showToast(isHeld(answer) ? settings.held : text.done)
        await client.invalidateQueries({ queryKey: ['fee-schedules'] })
      }}
    >
      <TextField name="label" label={text.label} required maxLength={200} />
      <SelectField name="scope" label={text.scope} options={text.scopes} />
      <SelectField
        name="direction"
        label={text.direction}
        placeholder={text.anyDirection}
        options={text.directions}
      />
      <SelectField
        name="payment_method"
        label={text.method}
        placeholder={text.anyMethod}
        options={text.methods}
      />
      <CodeField name="country" label={text.country} hint={text.countryHint} length={2} required={false} />
      <TextField name="currency" label={text.currency} hint={text.currencyHint} maxLength={10} />
      <AmountField name="percent" label={text.percent} hint={text.percentHint} required={false} />
      <AmountField name="fixed" label={text.fixed} required={false} />
      <AmountField name="minimum" label={text.minimum} required={false} />
      <AmountField name="maximum" label={text.maximum} required={false} />
      <SelectField name="returned_on_refund" label={text.refund} options={text.refunds} />
    </FormDialog>
  )
}

export function RetireDialog({
  schedule,
  onClose,
}: {
  schedule: FeeSchedule
  onClose: () => void
}): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={retireDialog.title(schedule.label)}
      text={retireDialog.text}
      submitLabel={retireDialog.submit}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const answer = await api.feeSchedules.retire(schedule.schedule_id, { idempotencyKey })
        showToast(isHeld(answer) ? settings.held : retireDialog.done)
        await client.invalidateQueries({ queryKey: ['fee-schedules'] })
      }}
    />
  )
}
