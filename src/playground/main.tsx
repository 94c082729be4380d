import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { keepFocus } from './focus.ts';
import '@picocss/pico/css/pico.classless.violet.min.css';
import './style.css';

/** The view is gone then, but what runs goes on. */
function onUncaughtError(error: unknown): void {
  reportError(error);
  document.body.append('This view has failed. What you made is kept: reload the page, or go back.');
}

keepFocus();
const root = document.getElementById('root');
if (root)
  createRoot(root, { onUncaughtError }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
