import { Dialog } from '@base-ui/react/dialog'
import type { ReactElement } from 'react'
import { shell } from '../messages/generated/texts.ts'
import { loginUrl } from '../paths.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import styles from '../ui/ui.module.css'

export type Ending = 'ended' | 'changed'

/** This dialog cannot be dismissed, because the page behind it is out of date. */
export function EndingDialog({ reason }: { reason: Ending }): ReactElement {
  const isChanged = reason === 'changed'
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <div className={styles.dialogBody}>
            <Dialog.Title className={styles.dialogTitle}>
              {isChanged ? shell.session.changed : shell.session.ended}
            </Dialog.Title>
            <Dialog.Description className={styles.muted}>
              {isChanged ? shell.session.changedText : shell.session.endedText}
            </Dialog.Description>
            <div>
              {isChanged ? (
                <Button isPrimary onClick={() => location.reload()}>
                  {shell.session.reload}
                </Button>
              ) : (
                <a className={buttonClass(true)} href={loginUrl(`${location.pathname}${location.search}`)}>
                  {shell.session.signIn}
                </a>
              )}
            </div>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
