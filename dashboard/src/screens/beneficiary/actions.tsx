import type { Beneficiary } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../api/client.ts'
import { beneficiaries as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { AccountFields, accountOf } from '../beneficiaries/account-fields.tsx'

interface ActionProps {
  beneficiary: Beneficiary
  onClose: () => void
}

export function BeneficiaryActions({ beneficiary }: { beneficiary: Beneficiary }): ReactElement {
  const [chosen, setChosen] = useState<'change' | 'remove'>()
  const props = { beneficiary, onClose: () => setChosen(undefined) }
  return (
    <>
      {beneficiary.account_type !== 'wallet' && (
        <Button onClick={() => setChosen('change')}>{text.change.button}</Button>
      )}
      <Button onClick={() => setChosen('remove')}>{text.remove.button}</Button>
      {chosen === 'change' && <ChangeDialog {...props} />}
      {chosen === 'remove' && <RemoveDialog {...props} />}
    </>
  )
}

function ChangeDialog({ beneficiary, onClose }: ActionProps): ReactElement {
  const client = useQueryClient()
  const type = beneficiary.account_type === 'bank' ? 'bank' : 'mobile_money'
  return (
    <FormDialog
      title={text.change.title}
      text={text.change.text}
      submitLabel={text.change.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = accountOf(type, field)
        const answer = await api.beneficiaries.update(
          beneficiary.beneficiary_id,
          body,
          {},
          { idempotencyKey },
        )
        showToast('request_id' in answer ? text.change.held : text.change.done)
        await Promise.all(
          ['beneficiaries', 'approvals'].map((name) => client.invalidateQueries({ queryKey: [name] })),
        )
      }}
    >
      <AccountFields type={type} />
    </FormDialog>
  )
}

function RemoveDialog({ beneficiary, onClose }: ActionProps): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <FormDialog
      title={text.remove.title}
      text={text.remove.text}
      submitLabel={text.remove.button}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.beneficiaries.delete(beneficiary.beneficiary_id, { idempotencyKey })
        showToast(text.remove.done)
        await navigate(paths.beneficiaries)
        await client.invalidateQueries({ queryKey: ['beneficiaries'] })
      }}
    />
  )
}
