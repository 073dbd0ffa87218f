import { render } from 'preact';
import { App } from './shell/app.tsx';
import { listenToChanges } from './state/api.ts';
import { applyTheme } from './state/theme.ts';

applyTheme();
listenToChanges();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
