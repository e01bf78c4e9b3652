import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useSession } from './session/session-context.ts';
import { DropDown } from './ui/drop-down.tsx';
import { ErrorAlert } from './ui/error-alert.tsx';
import { useShortcutSettings } from './ui/keys/shortcuts.tsx';
import { useStoredChoice } from './ui/stored-choice.ts';
import { ROLE_WORDS } from './words.ts';

const THEMES = ['system', 'light', 'dark'] as const;
const THEME_WORDS = { system: 'as the system', light: 'light', dark: 'dark' } as const;

/** Who is signed in, and what concerns only this user: account, theme, shortcuts, sign-out. */
export function UserMenu() {
  const { session, signOut } = useSession();
  const { areOn, turn } = useShortcutSettings();
  const [theme, setTheme] = useTheme();
  const [error, setError] = useState<unknown>();
  const nextTheme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  return (
    <div className="user-menu">
      <ErrorAlert error={error} />
      <DropDown
        label="Account"
        buttonClass="user-button"
        button={
          <>
            <span className="user-email">{session.user.email}</span>
            <span className="quiet">{ROLE_WORDS[session.user.role]}</span>
          </>
        }
      >
        {(close) => (
          <>
            <Link href="/account" onClick={close}>
              Account
            </Link>
            <button
              type="button"
              onClick={() => {
                close();
                setTheme(nextTheme);
              }}
            >
              Theme: {THEME_WORDS[theme]}
            </button>
            <button
              type="button"
              onClick={() => {
                close();
                turn(!areOn);
              }}
            >
              Keyboard shortcuts: {areOn ? 'on' : 'off'}
            </button>
            <hr />
            <button
              type="button"
              onClick={() => {
                close();
                void signOut().catch(setError);
              }}
            >
              Sign out
            </button>
          </>
        )}
      </DropDown>
    </div>
  );
}

function useTheme(): [(typeof THEMES)[number], (theme: (typeof THEMES)[number]) => void] {
  const [theme, setTheme] = useStoredChoice('theme', THEMES);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return [theme, setTheme];
}
