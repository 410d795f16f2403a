import { Menu } from '@base-ui/react/menu'
import { useState, type ReactElement } from 'react'
import { signOut, switchOrganization } from '../api/sessions.ts'
import { active } from '../messages/active.ts'
import { nameOf } from '../messages/name-of.ts'
import { roles, shell } from '../messages/generated/texts.ts'
import { basePath, paths } from '../paths.ts'
import ui from '../ui/ui.module.css'
import { offeredLanguages, setLanguage } from './language.ts'
import { useIdentity } from './session.tsx'
import styles from './shell.module.css'
import { currentTheme, setTheme, themes } from './theme.ts'
import { showToast } from './toasts.tsx'

const reportFailure = (error: unknown): void =>
  showToast(error instanceof Error ? error.message : String(error))

const Chevron = (): ReactElement => (
  <svg
    className={styles.chevron}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    aria-hidden="true"
  >
    <path d="M5 6.5L8 3.5l3 3M5 9.5l3 3 3-3" />
  </svg>
)

/** Reloads the page, so that no data of the previous organisation stays on it. */
function switchTo(orgId: string): void {
  switchOrganization(orgId).then(() => location.assign(basePath), reportFailure)
}

export function OrganizationMenu(): ReactElement {
  const { me, session } = useIdentity()
  const current = session.organizations.find(({ org_id }) => org_id === me.org_id)
  return (
    <Menu.Root>
      <Menu.Trigger
        className={styles.picker}
        aria-label={`${shell.organization.switch}: ${current?.name ?? ''}`}
      >
        <span className={styles.pickerText}>{current?.name}</span>
        <Chevron />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={6}>
          <Menu.Popup className={ui.menu}>
            <Menu.RadioGroup value={me.org_id} onValueChange={switchTo}>
              {session.organizations.map(({ org_id, name }) => (
                <Menu.RadioItem key={org_id} value={org_id} className={ui.menuItem} closeOnClick>
                  {name}
                  {org_id === me.org_id && <span className={ui.muted}>{shell.organization.current}</span>}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function leave(): void {
  signOut().then(() => location.assign(`${basePath}${paths.signIn}?signed-out=1`), reportFailure)
}

/** Each language is listed by its own name, so that people who read no English find theirs. */
const LanguageChoice = (): ReactElement | null =>
  offeredLanguages.length < 2 ? null : (
    <Menu.RadioGroup value={active().language} onValueChange={setLanguage}>
      <div className={ui.menuLabel}>{shell.account.language}</div>
      {offeredLanguages.map(({ language, name }) => (
        <Menu.RadioItem key={language} value={language} className={ui.menuItem} lang={language}>
          {name}
          <Menu.RadioItemIndicator aria-hidden="true">✓</Menu.RadioItemIndicator>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )

export function AccountMenu({ onHelp }: { onHelp: () => void }): ReactElement {
  const { me } = useIdentity()
  const [theme, chooseTheme] = useState(currentTheme)
  const choose = (chosen: (typeof themes)[number]): void => {
    setTheme(chosen)
    chooseTheme(chosen)
  }
  const name = `${me.first_name} ${me.last_name}`
  return (
    <Menu.Root>
      <Menu.Trigger className={styles.person}>
        <span className={styles.initials} aria-hidden="true">
          {me.first_name.slice(0, 1)}
          {me.last_name.slice(0, 1)}
        </span>
        <span className={styles.personText}>
          <span className={styles.personName}>{name}</span>
          <span className={styles.personRole}>{nameOf(roles, me.role)}</span>
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" side="top" sideOffset={6}>
          <Menu.Popup className={ui.menu}>
            <div className={ui.menuLabel}>
              {name}
              <br />
              {me.email}
            </div>
            <Menu.RadioGroup value={theme} onValueChange={choose}>
              <div className={ui.menuLabel}>{shell.account.theme}</div>
              {themes.map((one) => (
                <Menu.RadioItem key={one} value={one} className={ui.menuItem}>
                  {shell.account.themes[one]}
                  <Menu.RadioItemIndicator aria-hidden="true">✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <LanguageChoice />
            <Menu.Item className={ui.menuItem} onClick={onHelp}>
              {shell.account.keys} <kbd>?</kbd>
            </Menu.Item>
            <Menu.Item className={ui.menuItem} onClick={leave}>
              {shell.account.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
