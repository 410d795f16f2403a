import type { Escrow } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useBeneficiaries } from '../../api/use-beneficiaries.ts'
import { escrows } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { BeneficiaryField } from '../new-payment/beneficiary-field.tsx'
import { accountOptions, useAccounts, useDone, useParties } from './use-escrow.ts'

const { parties: text } = escrows

export function Parties({ escrow }: { escrow: Escrow }): ReactElement {
  const mayAdd = useMay('escrow:write') && escrow.status === 'active'
  const { data, error, refetch } = useParties(escrow.escrow_id)
  const [isAdding, setAdding] = useState(false)
  return (
    <Panel title={text.title} aside={mayAdd && <Button onClick={() => setAdding(true)}>{text.add}</Button>}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} />}
      {data?.length === 0 && <p className={`${work.prose} ${ui.muted}`}>{text.empty}</p>}
      <ul className={work.steps}>
        {data?.map(({ party_id, name, account_id }) => (
          <li key={party_id}>
            <span>{name}</span>
            <span className={ui.muted}>{account_id === null ? text.byPayout : text.byAccount}</span>
          </li>
        ))}
      </ul>
      {isAdding && <AddDialog escrow={escrow} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function AddDialog({ escrow, onClose }: { escrow: Escrow; onClose: () => void }): ReactElement {
  const words = text.form
  const done = useDone()
  const [by, setBy] = useState<'account' | 'beneficiary'>('beneficiary')
  const accounts = useAccounts(escrow)
  const beneficiaries = useBeneficiaries()
  return (
    <FormDialog
      title={words.title}
      submitLabel={words.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const paid =
          by === 'account' ? { account_id: field('account_id') } : { beneficiary_id: field('beneficiary_id') }
        await api.escrowParties.create(escrow.escrow_id, { name: field('name'), ...paid }, { idempotencyKey })
        await done(words.done)
      }}
    >
      <TextField name="name" label={words.name} required maxLength={200} />
      <SelectField
        name="by"
        label={words.by}
        options={{ beneficiary: text.byPayout, account: text.byAccount }}
        value={by}
        onChange={({ target }) => setBy(target.value === 'account' ? 'account' : 'beneficiary')}
      />
      {by === 'account' ? (
        <SelectField
          name="account_id"
          label={words.account}
          required
          defaultValue=""
          placeholder={words.chooseAccount}
          options={accountOptions(accounts.data)}
        />
      ) : (
        <BeneficiaryField
          label={words.beneficiary}
          beneficiaries={beneficiaries.data?.filter(({ currency }) => currency === escrow.currency)}
          defaultValue=""
        />
      )}
    </FormDialog>
  )
}
