import type { VirtualAccount } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { virtualAccounts } from '../../messages/generated/texts.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import work from '../../ui/work.module.css'
import { FreezeDialog, TransferDialog, WithdrawDialog } from './dialogs.tsx'

const { actions: text } = virtualAccounts

type OpenDialog = 'transfer' | 'withdraw' | 'freeze'

/** Why no money can be taken out, or undefined if it can. */
function whyNotDebit({ status, account_type }: VirtualAccount): string | undefined {
  if (account_type === 'escrow') return text.escrow
  if (status === 'frozen') return text.frozen
  return status === 'closed' ? text.closed : undefined
}

export function AccountActions({ account }: { account: VirtualAccount }): ReactElement {
  const [opened, setOpened] = useState<OpenDialog>()
  const isFrozen = account.status === 'frozen'
  const dialog = { account, onClose: () => setOpened(undefined) }
  return (
    <div className={work.row}>
      <ActionButton
        label={isFrozen ? text.unfreeze : text.freeze}
        reason={account.status === 'closed' ? text.closed : undefined}
        onClick={() => setOpened('freeze')}
      />
      <ActionButton
        label={text.withdraw}
        reason={whyNotDebit(account)}
        onClick={() => setOpened('withdraw')}
      />
      <ActionButton
        label={text.transfer}
        isPrimary
        reason={whyNotDebit(account)}
        onClick={() => setOpened('transfer')}
      />
      {opened === 'transfer' && <TransferDialog {...dialog} />}
      {opened === 'withdraw' && <WithdrawDialog {...dialog} />}
      {opened === 'freeze' && <FreezeDialog {...dialog} />}
    </div>
  )
}
