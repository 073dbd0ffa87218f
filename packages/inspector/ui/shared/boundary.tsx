import { Component, type ComponentChildren } from 'preact';

interface BoundaryProps {
  /** What is shown here. Give it a `key` too, so that another skill begins without the failure of this one. */
  readonly of: string;
  readonly children: ComponentChildren;
}

interface BoundaryState {
  readonly failure: string | null;
}

/** Keeps a failure in the pane where it happened: everything beside it goes on working. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static override getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: error instanceof Error ? error.message : String(error) };
  }

  override render(): ComponentChildren {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <div class="notice" role="alert">
        <p>
          {this.props.of} cannot be shown: {failure.slice(0, 300)}
        </p>
        <p class="actions">
          <button type="button" class="secondary" onClick={() => this.setState({ failure: null })}>
            Try again
          </button>
        </p>
      </div>
    );
  }
}
