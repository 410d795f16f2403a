import { Dialog } from '@base-ui/react/dialog'
import { useId, useState, type KeyboardEvent, type ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { shell } from '../messages/generated/texts.ts'
import { paths } from '../paths.ts'
import ui from '../ui/ui.module.css'
import type { Destination } from './commands.ts'
import styles from './shell.module.css'

interface PaletteProps {
  onClose: () => void
  destinations: readonly Destination[]
}

export const Palette = ({ onClose, destinations }: PaletteProps): ReactElement => (
  <Dialog.Root open onOpenChange={onClose}>
    <Dialog.Portal>
      <Dialog.Backdrop className={ui.backdrop} />
      <Dialog.Popup className={ui.dialog}>
        <Dialog.Title className={ui.visuallyHidden}>{shell.palette.title}</Dialog.Title>
        <Search destinations={destinations} onClose={onClose} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

type Match = Pick<Destination, 'path' | 'label'> & { key?: string }

/** The screens whose names contain the text, then a payment search if the person may see payments. */
function matching(destinations: readonly Destination[], text: string): Match[] {
  const screens = destinations.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
  if (text === '' || !destinations.some(({ path }) => path === paths.payments)) return screens
  const query = new URLSearchParams({ q: text }).toString()
  return [...screens, { path: `${paths.payments}?${query}`, label: shell.palette.payments(text) }]
}

/** A combobox whose list is always open: arrows select an option, Enter opens it. */
function Search({ destinations, onClose }: PaletteProps): ReactElement {
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = matching(destinations, text.trim())
  const open = (destination: Match | undefined): void => {
    if (!destination) return
    onClose()
    void Promise.resolve(navigate(destination.path)).catch(() => undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % found.length)
    }
    if (event.key === 'Enter') open(found[chosen])
  }
  return (
    <>
      <input
        className={styles.paletteInput}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[chosen] && `${listId}-${chosen}`}
        aria-label={shell.palette.placeholder}
        placeholder={shell.palette.placeholder}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.paletteList} id={listId} role="listbox" aria-label={shell.palette.title}>
        {found.map((destination, index) => (
          <div
            key={destination.path}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={styles.paletteItem}
            onClick={() => open(destination)}
            onMouseMove={() => setChosen(index)}
          >
            {destination.label}
            {destination.key !== undefined && (
              <span className={styles.helpKeys} aria-hidden="true">
                <kbd>g</kbd> <kbd>{destination.key}</kbd>
              </span>
            )}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={styles.paletteNothing}>{shell.palette.nothing}</p>}
    </>
  )
}
