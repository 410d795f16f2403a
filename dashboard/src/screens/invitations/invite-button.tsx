import type { InvitationsCreateBody } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { invitations as text, members } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { isHeld, useGivableRoles } from '../members/parts.tsx'

/** Shown only to people who may invite. */
export function InviteButton(): ReactElement {
  const client = useQueryClient()
  const { org_id } = useIdentity().me
  const givable = useGivableRoles()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button isPrimary onClick={() => setOpen(true)}>
        {text.invite}
      </Button>
      {isOpen && (
        <FormDialog
          title={text.inviteTitle}
          text={text.inviteText}
          submitLabel={text.send}
          onClose={() => setOpen(false)}
          onSubmit={async ({ text: field, idempotencyKey }) => {
            const role = field('role') as InvitationsCreateBody['role'] // a value of the options
            const sent = await api.invitations.create(
              org_id,
              { email: field('email'), role },
              { idempotencyKey },
            )
            showToast(isHeld(sent) ? members.held : text.sent)
            await client.invalidateQueries({ queryKey: ['invitations'] })
          }}
        >
          <TextField name="email" label={text.email} type="email" required maxLength={254} />
          <SelectField name="role" label={text.role} options={givable} />
        </FormDialog>
      )}
    </>
  )
}
