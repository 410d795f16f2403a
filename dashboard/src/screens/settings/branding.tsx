import type { Organization, OrganizationsUpdateBody } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactElement } from 'react'
import { defaultAccent } from '@switchyard/checkout/color.ts'
import { api } from '../../api/client.ts'
import { branding as text, settings } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import { PagePreview } from './page-preview.tsx'
import styles from './settings.module.css'

const logoLimit = 64 * 1024
const isColor = (color: string): boolean => /^#[\da-f]{6}$/i.test(color)

/** The logo as a URL for the preview: undefined if unchanged, null if removed. */
type ChosenLogo = string | null | undefined

/** The preview follows every input; payers see the change once it is saved. */
export function Branding({ organization }: { organization: Organization }): ReactElement {
  const mayWrite = useMay('organizations:write')
  const [color, setColor] = useState(organization.brand_color ?? defaultAccent)
  const [logo, setLogo] = useState<ChosenLogo>()
  return (
    <div className={parts.columns}>
      <Panel title={settings.branding}>
        <div className={styles.form}>
          <ColorField color={color} onChange={setColor} isDisabled={!mayWrite} />
          {mayWrite && <LogoField organization={organization} logo={logo} onChange={setLogo} />}
          {mayWrite && <Save organization={organization} color={color} logo={logo} />}
        </div>
      </Panel>
      <Panel title={text.preview}>
        <PagePreview
          name={organization.name}
          color={isColor(color) ? color.toLowerCase() : defaultAccent}
          logoUrl={logo ?? undefined}
        />
      </Panel>
    </div>
  )
}

interface ColorFieldProps {
  color: string
  onChange: (color: string) => void
  isDisabled: boolean
}

function ColorField({ color, onChange, isDisabled }: ColorFieldProps): ReactElement {
  const id = useId()
  return (
    <div className={ui.field}>
      <label htmlFor={id}>{text.color}</label>
      <div className={styles.color}>
        <input
          type="color"
          aria-label={`${text.color}: ${color}`}
          className={styles.swatch}
          value={isColor(color) ? color : defaultAccent}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value)}
        />
        <input
          id={id}
          className={ui.control}
          value={color}
          maxLength={7}
          disabled={isDisabled}
          aria-invalid={!isColor(color)}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      <span id={`${id}-hint`} className={ui.hint}>
        {text.colorHint}
      </span>
      {!isDisabled && (
        <div>
          <Button className={ui.small} onClick={() => onChange(defaultAccent)}>
            {text.standard}
          </Button>
        </div>
      )}
    </div>
  )
}

interface LogoFieldProps {
  organization: Organization
  logo: ChosenLogo
  onChange: (logo: ChosenLogo) => void
}

function LogoField({ organization, logo, onChange }: LogoFieldProps): ReactElement {
  const id = useId()
  const hasLogo = logo === undefined ? organization.has_logo : logo !== null
  const choose = (file: File | undefined): void => {
    if (!file) return
    if (file.size > logoLimit) {
      showToast(text.tooLarge)
      return
    }
    const reader = new FileReader()
    reader.onload = () => onChange(typeof reader.result === 'string' ? reader.result : undefined)
    reader.readAsDataURL(file)
  }
  return (
    <div className={ui.field}>
      <label htmlFor={id}>{text.logo}</label>
      <input
        id={id}
        type="file"
        className={ui.control}
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => choose(target.files?.[0])}
      />
      <span id={`${id}-hint`} className={ui.hint}>
        {text.logoHint} {logo === undefined && organization.has_logo && text.hasLogo}
      </span>
      {hasLogo && (
        <div>
          <Button className={ui.small} onClick={() => onChange(null)}>
            {text.removeLogo}
          </Button>
        </div>
      )}
    </div>
  )
}

function Save({
  organization,
  color,
  logo,
}: {
  organization: Organization
  color: string
  logo: ChosenLogo
}): ReactElement {
  const client = useQueryClient()
  const isSame = color.toLowerCase() === (organization.brand_color ?? defaultAccent) && logo === undefined
  const save = useMutation({
    mutationFn: () => {
      const body: OrganizationsUpdateBody = {
        brand_color: color.toLowerCase() === defaultAccent ? null : color.toLowerCase(),
        // A data URL ends with the file in base64.
        ...(logo !== undefined && { logo: logo === null ? null : (logo.split(',').at(-1) ?? null) }),
      }
      return api.organizations.update(organization.org_id, body)
    },
    onSuccess: () => {
      showToast(settings.saved)
      return client.invalidateQueries({ queryKey: ['organization'] })
    },
    onError: (failure) => showToast(failure.message),
  })
  return (
    <div>
      <Button isPrimary disabled={isSame || !isColor(color) || save.isPending} onClick={() => save.mutate()}>
        {text.save}
      </Button>
    </div>
  )
}
