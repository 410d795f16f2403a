import type { Escrow, EscrowParty, Milestone, SplitUpdateInput } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { escrows } from '../../messages/generated/texts.ts'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { AmountField } from '../../ui/money-fields.tsx'
import { useDone } from './use-escrow.ts'

const { milestones: text } = escrows

export function AddDialog({ escrow, onClose }: { escrow: Escrow; onClose: () => void }): ReactElement {
  const words = text.form
  const done = useDone()
  return (
    <FormDialog
      title={words.title}
      subject={`add-milestone ${escrow.escrow_id}`}
      submitLabel={words.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const [due, description] = [field('due_date'), field('description')]
        const body = {
          label: field('label'),
          expected_disbursement: field('expected_disbursement'),
          ...(due !== '' && { due_date: due }),
          ...(description !== '' && { description }),
        }
        await api.milestones.create(escrow.escrow_id, body, { idempotencyKey })
        await done(words.done)
      }}
    >
      <TextField name="label" label={words.label} required maxLength={200} />
      <AmountField name="expected_disbursement" label={`${words.amount} (${escrow.currency})`} />
      <TextField name="due_date" label={words.due} type="date" />
      <AreaField name="description" label={words.description} maxLength={2000} />
    </FormDialog>
  )
}

interface DialogProps {
  milestone: Milestone
  onClose: () => void
}

export function ContractDialog({ milestone, onClose }: DialogProps): ReactElement {
  const words = text.submit
  const done = useDone()
  return (
    <FormDialog
      title={words.title(milestone.label)}
      subject={`submit-contract ${milestone.milestone_id}`}
      submitLabel={words.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const url = field('url')
        const body = { reference: field('reference'), ...(url !== '' && { url }) }
        const { escrow_id, milestone_id } = milestone
        await api.milestones.submitContract(escrow_id, milestone_id, body, { idempotencyKey })
        await done(words.done)
      }}
    >
      <TextField name="reference" label={words.reference} required maxLength={255} />
      <TextField name="url" label={words.url} hint={words.urlHint} type="url" maxLength={2000} />
    </FormDialog>
  )
}

export function ApproveDialog({ milestone, onClose }: DialogProps): ReactElement {
  const words = text.approve
  const done = useDone()
  return (
    <FormDialog
      title={words.title(milestone.label)}
      subject={`approve ${milestone.milestone_id}`}
      text={words.text}
      submitLabel={words.submit}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.milestones.approve(milestone.escrow_id, milestone.milestone_id, { idempotencyKey })
        await done(words.done)
      }}
    />
  )
}

export function DisburseDialog({ milestone, onClose }: DialogProps): ReactElement {
  const words = text.disburse
  const done = useDone()
  return (
    <FormDialog
      title={words.title(milestone.label)}
      subject={`disburse ${milestone.milestone_id}`}
      text={words.text}
      submitLabel={words.submit}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.milestones.disburse(milestone.escrow_id, milestone.milestone_id, { idempotencyKey })
        await done(words.done)
      }}
    />
  )
}

/** One row for each party. An empty share is not sent, so that party keeps its current share. */
export function SplitDialog({
  milestone,
  parties,
  onClose,
}: DialogProps & { parties: readonly EscrowParty[] }): ReactElement {
  const words = text.split
  const done = useDone()
  const current = new Map(milestone.parties.map((split) => [split.party_id, split]))
  return (
    <FormDialog
      title={words.title(milestone.label)}
      subject={`split ${milestone.milestone_id}`}
      text={words.text}
      submitLabel={words.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const splits = parties.flatMap(({ party_id }): SplitUpdateInput[] => {
          const value = field(`value ${party_id}`)
          const type = field(`type ${party_id}`) === 'fixed' ? 'fixed' : 'percentage'
          return value === '' ? [] : [{ party_id, split_value: value, split_type: type }]
        })
        const { escrow_id, milestone_id } = milestone
        await api.milestones.setParties(escrow_id, milestone_id, { parties: splits }, { idempotencyKey })
        await done(words.done)
      }}
    >
      {parties.map(({ party_id, name }) => (
        <div key={party_id}>
          <AmountField
            name={`value ${party_id}`}
            label={words.value(name)}
            required={false}
            defaultValue={current.get(party_id)?.split_value ?? ''}
          />
          <SelectField
            name={`type ${party_id}`}
            label={words.type(name)}
            options={words.types}
            defaultValue={current.get(party_id)?.split_type ?? 'percentage'}
          />
        </div>
      ))}
    </FormDialog>
  )
}
