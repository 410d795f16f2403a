import { Dialog } from '@base-ui/react/dialog'
import type { ReactElement } from 'react'
import { secrets } from '../messages/generated/texts.ts'
import { buttonClass } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './parts.module.css'
import ui from './ui.module.css'

interface SecretDialogProps {
  title: string
  /** What the secret is for. */
  text: string
  label: string
  secret: string
  onClose: () => void
}

/**
 * A secret that is shown once. Neither Escape nor a click outside closes the dialog, because it cannot be reopened. The
 * screen discards the secret when the dialog closes.
 */
export const SecretDialog = ({ title, text, label, secret, onClose }: SecretDialogProps): ReactElement => (
  <Dialog.Root open onOpenChange={(_isOpen, { reason }) => reason === 'close-press' && onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className={ui.backdrop} />
      <Dialog.Popup className={ui.dialog}>
        <div className={ui.dialogBody}>
          <Dialog.Title className={ui.dialogTitle}>{title}</Dialog.Title>
          <Dialog.Description className={ui.muted}>{text}</Dialog.Description>
          <div className={styles.secret}>
            <code className={styles.mono}>{secret}</code>
            <CopyButton text={secret} label={label} />
          </div>
          <p className={ui.doubt}>{secrets.once}</p>
          <div className={ui.dialogActions}>
            <Dialog.Close className={buttonClass(true)}>{secrets.stored}</Dialog.Close>
          </div>
        </div>
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
