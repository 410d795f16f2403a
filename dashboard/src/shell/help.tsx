import { Dialog } from '@base-ui/react/dialog'
import type { ReactElement } from 'react'
import { shell } from '../messages/generated/texts.ts'
import { buttonClass } from '../ui/button.tsx'
import ui from '../ui/ui.module.css'
import type { Destination } from './commands.ts'
import styles from './shell.module.css'

const Row = ({ text, keys }: { text: string; keys: readonly string[] }): ReactElement => (
  <li className={styles.helpRow}>
    {text}
    <span className={styles.helpKeys}>
      {keys.map((key) => (
        <kbd key={key} dir="ltr">
          {key}
        </kbd>
      ))}
    </span>
  </li>
)

export const Help = ({
  onClose,
  destinations,
}: {
  onClose: () => void
  destinations: readonly Destination[]
}): ReactElement => (
  <Dialog.Root open onOpenChange={onClose}>
    <Dialog.Portal>
      <Dialog.Backdrop className={ui.backdrop} />
      <Dialog.Popup className={ui.dialog}>
        <div className={ui.dialogBody}>
          <Dialog.Title className={ui.dialogTitle}>{shell.help.title}</Dialog.Title>
          <ul>
            <Row text={shell.help.palette} keys={['⌘K', '/']} />
            {destinations.map(({ path, label, key }) => (
              <Row key={path} text={`${shell.help.go} ${label}`} keys={['g', key]} />
            ))}
            <Row text={shell.help.rows} keys={['j', 'k']} />
            <Row text={shell.help.help} keys={['?']} />
          </ul>
          <div>
            <Dialog.Close className={buttonClass(false)}>{shell.help.close}</Dialog.Close>
          </div>
        </div>
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
